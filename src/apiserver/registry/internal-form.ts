import { facts } from "../../api/types/facts.ts";
import { lineDiff } from "../line-diff.ts";

/** A part of a core object as the server has it in Go, which is how some refusals print it: every field, by Go's names. */
export function internalForm(struct: string, value: object | undefined): Record<string, unknown> {
  const fields = facts().internals.get(struct) ?? [];
  const given = struct === "PodSpec" ? withHostFields(value ?? {}) : (value ?? {});
  return Object.fromEntries(
    fields.map(({ name, field, type }) => [name, formOf(Reflect.get(given, field), type)]),
  );
}

/** How two versions of such a part differ, line by line. */
export function internalDiff(struct: string, before: object, after: object): string {
  return lineDiff(printed(struct, before), printed(struct, after));
}

function printed(struct: string, value: object): string {
  return JSON.stringify(internalForm(struct, value), null, " ");
}

const hostFields = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"] as const;

/** What a Pod shares with its node is part of its security context there. */
function withHostFields(spec: object & { securityContext?: object }): object {
  const own = hostFields.map((name) => [name, Reflect.get(spec, name)] as const);
  return { ...spec, securityContext: { ...spec.securityContext, ...Object.fromEntries(own) } };
}

function formOf(value: unknown, type: string): unknown {
  if (value === undefined || value === null) return nothingOf(type);
  const inner = type.replace(/^(?:\*|\[\])/, "");
  if (Array.isArray(value)) return value.map((item) => formOf(item, inner));
  if (typeof value !== "object") return value;
  return facts().internals.has(inner) ? internalForm(inner, value) : value;
}

function nothingOf(type: string): unknown {
  if (/^[*[{]/.test(type)) return null;
  if (facts().internals.has(type)) return internalForm(type, {});
  return zeros[type] ?? "";
}

const zeros: Readonly<Record<string, unknown>> = { number: 0, boolean: false, quantity: "0" };
