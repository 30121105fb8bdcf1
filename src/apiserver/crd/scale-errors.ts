import type { KubeObject } from "../../api/index.ts";
import type { CustomResourceSubresourceScale } from "../../api/types/apiextensions/v1.ts";
import { type FieldError, invalid } from "../../schema/index.ts";
import { simplePath } from "./field-text.ts";

type Scale = CustomResourceSubresourceScale;

/** What keeps the wanted number of replicas from being read. */
export function scaleSpecErrors(object: KubeObject, { specReplicasPath }: Scale): FieldError[] {
  return replicasErrors(object, specReplicasPath);
}

/** What keeps the seen number of replicas, and their selector, from being read. */
export function scaleStatusErrors(
  object: KubeObject,
  { statusReplicasPath, labelSelectorPath }: Scale,
): FieldError[] {
  return [
    ...replicasErrors(object, statusReplicasPath),
    ...(labelSelectorPath ? selectorErrors(object, labelSelectorPath) : []),
  ];
}

const mostReplicas = 2_147_483_647;

function replicasErrors(object: KubeObject, path: string): FieldError[] {
  const { found, fault } = access(object, path, wholeNumber);
  if (fault !== undefined) return [invalid(path, 0, fault)];
  const replicas = Number(found ?? 0);
  if (replicas < 0) return [invalid(path, found, "should be a non-negative integer")];
  if (replicas <= mostReplicas) return [];
  return [invalid(path, found, `should be less than or equal to ${mostReplicas}`)];
}

function selectorErrors(object: KubeObject, path: string): FieldError[] {
  const { fault } = access(object, path, text);
  return fault === undefined ? [] : [invalid(path, "", fault)];
}

function isWhole(value: unknown): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}

interface Wanted {
  /** As Go calls it. */
  readonly type: string;
  fits(value: unknown): boolean;
}

const wholeNumber: Wanted = { type: "int64", fits: isWhole };
const text: Wanted = { type: "string", fits: (value) => typeof value === "string" };

interface Access {
  readonly found?: unknown;
  readonly fault?: string;
}

/** The value at a path, or what Go has against one that is of another type. What is not there is no fault. */
function access(object: unknown, path: string, { type, fits }: Wanted): Access {
  const passed: string[] = [];
  let found = object;
  for (const field of simplePath(path)) {
    if (found === undefined || found === null) return {};
    passed.push(field);
    if (typeof found !== "object" || Array.isArray(found))
      return { fault: faultOf(passed, found, "map[string]interface{}") };
    found = Object.hasOwn(found, field) ? Reflect.get(found, field) : undefined;
  }
  if (found === undefined) return {};
  return fits(found) ? { found } : { fault: faultOf(passed, found, type) };
}

function faultOf(path: readonly string[], value: unknown, expected: string): string {
  return `.${path.join(".")} accessor error: ${printed(value)} is of the type ${goType(value)}, expected ${expected}`;
}

/** As Go prints it: `map[a:1 b:[x y]]`. */
function printed(value: unknown): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(printed).join(" ")}]`;
  if (typeof value !== "object") return String(value);
  const fields = Object.entries(value as object).sort(([one], [other]) => (one < other ? -1 : 1));
  return `map[${fields.map(([name, field]) => `${name}:${printed(field)}`).join(" ")}]`;
}

function goType(value: unknown): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  const types: Readonly<Record<string, string>> = { boolean: "bool", number: "float64", bigint: "int64" };
  const type = typeof value;
  if (type === "object") return "map[string]interface {}";
  return isWhole(value) ? "int64" : (types[type] ?? type);
}
