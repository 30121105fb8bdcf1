/** A JSON Schema of draft 2020-12, as a library wrote it: nothing is known of what its keywords hold. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The JSON type of a value, where a whole number is an integer. */
export function jsonType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** Whether a schema says nothing at all about values. */
export function allowsAnything(schema: unknown): boolean {
  return schema === true || (isRecord(schema) && !Object.keys(schema).some((word) => !annotations.has(word)));
}

/** What tells people something and restricts nothing. */
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

/** The part of a schema that a reference like `#/$defs/port` points to. */
export function resolvePointer(root: unknown, reference: string): unknown {
  if (!reference.startsWith("#")) return undefined;
  const steps = decodeURIComponent(reference.slice(1)).split("/").slice(1);
  return steps.reduce<unknown>((part, step) => {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const parts = Array.isArray(part) || isRecord(part) ? Object.entries(part) : [];
    return parts.find(([key]) => key === name)?.[1];
  }, root);
}
