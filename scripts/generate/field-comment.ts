import { innermost, refOf, type Schema } from "./schema.ts";

/**
 * Returns the comment of a field from its facts: what its TypeScript type does not say. Empty if there is nothing to
 * say. Prose is not copied.
 */
export function fieldComment(schema: Schema, required: boolean): string {
  const facts = [required ? "Required" : "", formatText(schema), listText(schema), mergeText(schema)];
  const sentences = facts.filter((fact) => fact !== "").map((fact) => `${fact}.`);
  const value = defaultOf(schema);
  if (value !== undefined) sentences.push(`@default ${value}`);
  return sentences.length === 0 ? "" : `  /** ${sentences.join(" ")} */\n`;
}

const formats: Readonly<Record<string, string>> = {
  byte: "Base64",
  int32: "int32",
  int64: "int64",
  double: "double",
};

const times: Readonly<Record<string, string>> = {
  "io.k8s.apimachinery.pkg.apis.meta.v1.Time": "RFC 3339 time",
  "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": "RFC 3339 time with microseconds",
};

function formatText(schema: Schema): string {
  const inner = innermost(schema);
  return times[refOf(inner) ?? ""] ?? formats[inner.format ?? ""] ?? "";
}

/** How server-side apply merges a list or map. */
function listText(schema: Schema): string {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (schema["x-kubernetes-list-type"] === "map")
    return `List map with the keys ${keys.map(code).join(", ")}`;
  if (schema["x-kubernetes-list-type"] === "set") return "List set";
  if (schema["x-kubernetes-list-type"] === "atomic") return "Atomic list";
  return schema["x-kubernetes-map-type"] === "atomic" ? "Atomic" : "";
}

/** How a strategic merge patch merges the field, unless it replaces a list or merges an object. */
function mergeText(schema: Schema): string {
  const strategies = schema["x-kubernetes-patch-strategy"]?.split(",") ?? [];
  const key = schema["x-kubernetes-patch-merge-key"];
  const merge = strategies.includes("merge")
    ? `strategic merge${key === undefined ? "" : ` by ${code(key)}`}`
    : "";
  const keeps = strategies.includes("retainKeys") ? "strategic merge retains keys" : "";
  return capitalized([merge, keeps].filter((text) => text !== "").join(", "));
}

/** The default in the schema, or else the value that a whole sentence states, if it has the type of the field. */
function defaultOf(schema: Schema): string | undefined {
  const { default: value, description = "" } = schema;
  if (value !== undefined && !isZero(value)) return JSON.stringify(value);
  const stated = statedDefault.exec(description)?.groups?.value ?? "";
  const plain = stated.replaceAll('"', "");
  return isValueOf(schema, plain, stated !== plain) ? textOf(schema, plain) : undefined;
}

/** "Defaults to 1 second.", "The default value is TCP.", "Default is 0 (…". */
const statedDefault =
  /(?:^|[.)]\s+|\n)(?:Defaults? to|(?:The )?[Dd]efault(?: value)? is) (?<value>"?[\w/%.-]+?"?)(?: seconds?)?(?:\.?\s*$|\.\s| \()/;

/** OpenAPI documents have Go's zero value as the default of every field that is not a pointer. */
function isZero(value: unknown): boolean {
  return value === "" || value === 0 || value === false || JSON.stringify(value) === "{}";
}

function isValueOf(schema: Schema, value: string, quoted: boolean): boolean {
  if (schema.enum) return schema.enum.includes(value);
  if (schema.type === "integer") return /^\d+$/.test(value);
  if (schema.type === "boolean") return /^(?:true|false)$/.test(value);
  if (schema.type === "string") return value !== "" && (quoted || /^[/A-Z]/.test(value));
  return refOf(schema)?.endsWith(".IntOrString") === true && /^\d+%?$/.test(value);
}

/** File modes have Go's octal form. */
function textOf({ type }: Schema, value: string): string {
  if (type === "integer") return value.replace(/^0(?=\d)/, "0o");
  return type === "boolean" || /^\d+$/.test(value) ? value : JSON.stringify(value);
}

function code(name: string): string {
  return `\`${name}\``;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
