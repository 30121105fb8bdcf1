import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf, readStructs, type Structs } from "./go-fields.ts";

/** The structs that the server prints start at one of these. */
const roots = ["PodSpec", "PersistentVolumeClaimSpec", "PersistentVolumeSource"];

/**
 * The server's internal form of core objects, as far as it is printed: its structs, with the corresponding API fields.
 * These structs have no JSON tags, so printed fields have Go's names.
 */
export function readInternals(folder: string, apiFolder: string): [struct: string, fields: string][] {
  const types = readTypes(readFileSync(join(folder, "types.go"), "utf8"));
  const api = readStructs(apiFolder);
  const done = new Map<string, string>();
  const waiting = [...roots];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (done.has(name)) continue;
    const fields = structFields(types, name).map(([field, type]) => ({
      field,
      type: plainType(types, type),
    }));
    done.set(
      name,
      fields.map(({ field, type }) => `${field}=${apiField(api, name, field)}:${type}`).join(" "),
    );
    for (const { type } of fields) {
      const inner = type.replace(/^(?:\*|\[\])+/, "");
      if (types.structs.has(inner)) waiting.push(inner);
    }
  }
  return [...done].sort(([a], [b]) => (a < b ? -1 : 1));
}

interface Types {
  /** Each field with its type; one without a name is an embedded struct. */
  readonly structs: ReadonlyMap<string, ReadonlyArray<readonly [name: string, type: string]>>;
  /** `type RestartPolicy string` */
  readonly others: ReadonlyMap<string, string>;
}

function readTypes(text: string): Types {
  return { structs: readStructFields(text), others: readOthers(text) };
}

function readOthers(text: string): Map<string, string> {
  const found = text.matchAll(/^type (\w+) ((?!struct|interface)[^=\n]+)$/gm);
  return new Map([...found].map(([, name = "", type = ""]) => [name, type]));
}

function readStructFields(text: string): Map<string, [string, string][]> {
  const found = text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm);
  return new Map([...found].map(([, name = "", body = ""]) => [name, fieldLines(body)]));
}

function fieldLines(body: string): [string, string][] {
  const found = body.matchAll(/^\t(?:(\w+) +)?([*[\]\w.]+)(?: *\/\/.*)?$/gm);
  return [...found].map(([, name = "", type = ""]) => [name, type]);
}

function structFields(types: Types, struct: string): [name: string, type: string][] {
  return (types.structs.get(struct) ?? []).flatMap(([name, type]) =>
    name === "" ? structFields(types, type) : [[name, type] as [string, string]],
  );
}

/** The facts to print a value of a type. */
function plainType(types: Types, type: string): string {
  if (type.startsWith("*")) return `*${plainType(types, type.slice(1))}`;
  if (type.startsWith("[]")) return `[]${plainType(types, type.slice(2))}`;
  if (type.startsWith("map[")) return "{}";
  const other = types.others.get(type);
  if (other !== undefined) return plainType(types, other);
  if (types.structs.has(type)) return type;
  return scalars[type] ?? (/^u?int\d*$/.test(type) ? "number" : "string");
}

const scalars: Readonly<Record<string, string>> = {
  bool: "boolean",
  string: "string",
  "resource.Quantity": "quantity",
  "intstr.IntOrString": "number",
};

function apiField(api: Structs, struct: string, field: string): string {
  const same = fieldsOf(api, struct).find(({ goName }) => goName === field)?.name;
  return same ?? field.charAt(0).toLowerCase() + field.slice(1);
}
