import { facts } from "../../api/types/facts.ts";
import { lineDiff } from "../validation/line-diff.ts";

/**
 * Returns a part of a core object in kube-apiserver's internal form, which some messages print: every field, with its
 * Go name.
 */
export function internalForm(struct: string, value: object | undefined): Record<string, unknown> {
  const fields = facts().internals.get(struct) ?? [];
  const source = struct === "PodSpec" ? withHostFields(value ?? {}) : (value ?? {});
  return Object.fromEntries(
    fields.map(({ name, field, type }) => [name, internalValue(Reflect.get(source, field), type)]),
  );
}

/** Returns the line diff of two objects in internal form. */
export function internalDiff(struct: string, before: object, after: object): string {
  return lineDiff(printedForm(struct, before), printedForm(struct, after));
}

function printedForm(struct: string, value: object): string {
  return JSON.stringify(internalForm(struct, value), null, " ");
}

const hostFields = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"] as const;

/** Returns the Pod spec with its host fields in the security context, where the internal form has them. */
function withHostFields(spec: object & { securityContext?: object }): object {
  const hostEntries = hostFields.map((name) => [name, Reflect.get(spec, name)] as const);
  return { ...spec, securityContext: { ...spec.securityContext, ...Object.fromEntries(hostEntries) } };
}

function internalValue(value: unknown, type: string): unknown {
  if (value === undefined || value === null) return zeroValue(type);
  const inner = type.replace(/^(?:\*|\[\])/, "");
  if (Array.isArray(value)) return value.map((item) => internalValue(item, inner));
  if (typeof value !== "object") return value;
  return facts().internals.has(inner) ? internalForm(inner, value) : value;
}

function zeroValue(type: string): unknown {
  if (/^[*[{]/.test(type)) return null;
  if (facts().internals.has(type)) return internalForm(type, {});
  return zeroValues[type] ?? "";
}

const zeroValues: Readonly<Record<string, unknown>> = { number: 0, boolean: false, quantity: "0" };
