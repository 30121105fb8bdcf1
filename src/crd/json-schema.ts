/** A JSON Schema of draft 2020-12 from a library. The values of its keywords are not validated. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the JSON type of a value. A number without a fraction is an integer. */
export function jsonType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** Returns true if a schema does not restrict values. */
export function allowsAnything(schema: unknown): boolean {
  return schema === true || (isRecord(schema) && Object.keys(schema).every(isAnnotation));
}

/** Returns true for a keyword that does not restrict values. The type of an integer or string is an extension. */
function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword) || (isExtension(keyword) && keyword !== "x-kubernetes-int-or-string");
}

/** The beginning of the keyword of a rule. The rest is its expression, so that rules of several `meta` calls add up. */
export const rulePrefix = "x-trimtab-rule ";

/** Returns true for a keyword that extends JSON Schema: one of Kubernetes, or a rule. */
export function isExtension(keyword: string): boolean {
  return keyword.startsWith("x-kubernetes-") || keyword.startsWith(rulePrefix);
}

/** Keywords that annotate a schema and do not restrict values. */
const annotations: ReadonlySet<string> = new Set([
  "$schema",
  "$comment",
  "$defs",
  "$id",
  "default",
  "definitions",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

/** Returns the part of a schema at a reference such as `#/$defs/port`. */
export function resolvePointer(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  const steps = decodeURIComponent(reference.slice(1)).split("/").slice(1);
  return steps.reduce<unknown>((part, step) => {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const parts = Array.isArray(part) || isRecord(part) ? Object.entries(part) : [];
    return parts.find(([key]) => key === name)?.[1];
  }, root);
}
