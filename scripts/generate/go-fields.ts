import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Schema } from "./schema.ts";

/** Finds the folder of a Go package, `k8s.io/api/core/v1`. */
export type PackageFolder = (goPackage: string) => string;

/**
 * Adds facts from the Go structs that OpenAPI omits: whether a field is a pointer, when it is written, and in which
 * order. They are in the `types.go` of each package, formatted by gofmt.
 */
export function addGoFields(schemas: ReadonlyMap<string, Schema>, folderOf: PackageFolder): void {
  const packages = new Map<string, Structs>();
  for (const [name, schema] of schemas) {
    const { goPackage, struct } = goNameOf(name);
    const structs = packages.get(goPackage) ?? readStructs(folderOf(goPackage));
    packages.set(goPackage, structs);
    if (schema.properties) schema.properties = marked(schema.properties, fieldsOf(structs, struct));
  }
}

/** `io.k8s.api.core.v1.Pod` is `Pod` of `k8s.io/api/core/v1`. */
export function goNameOf(schemaName: string): { readonly goPackage: string; readonly struct: string } {
  const parts = schemaName.replace(/^io\.k8s\./, "k8s.io.").split(".");
  const [host = "", domain = "", ...rest] = parts;
  return { goPackage: [`${host}.${domain}`, ...rest.slice(0, -1)].join("/"), struct: rest.at(-1) ?? "" };
}

export interface GoField {
  /** `HostNetwork` */
  readonly goName: string;
  /** Empty for an embedded struct, whose fields are this struct's. */
  readonly name: string;
  readonly type: string;
  readonly omit: string;
  /** The field number in protobuf. 0 for a field that protobuf does not have. */
  readonly number: number;
}

export type Structs = ReadonlyMap<string, readonly GoField[]>;

export function readStructs(folder: string): Structs {
  const structs = new Map<string, GoField[]>();
  if (!existsSync(folder)) throw new Error(`expected the Go package of a schema, got none in ${folder}`);
  for (const file of readdirSync(folder).filter((one) => /^(?:types.*|group_version)\.go$/.test(one))) {
    readStructsOf(readFileSync(join(folder, file), "utf8"), structs);
  }
  return structs;
}

function readStructsOf(text: string, structs: Map<string, GoField[]>): void {
  let fields: GoField[] = [];
  for (const line of text.split("\n")) {
    const opened = /^type (\w+) struct \{/.exec(line)?.[1];
    if (opened !== undefined) {
      fields = [];
      structs.set(opened, fields);
    }
    const field = fieldOf(line);
    if (field) fields.push(field);
  }
}

const fieldLine = /^\t(?:(?<goName>\w+) +)?(?<type>[*[\]\w.]+) +`.*?json:"(?<name>[^",]*)(?<omit>[^"]*)"/;

function fieldOf(line: string): GoField | undefined {
  const { goName = "", name = "", type = "", omit = "" } = fieldLine.exec(line)?.groups ?? {};
  const number = Number(/protobuf:"\w+,(\d+),/.exec(line)?.[1] ?? 0);
  return type === "" ? undefined : { goName, name, type, omit, number };
}

export function fieldsOf(structs: Structs, struct: string): GoField[] {
  return (structs.get(struct) ?? []).flatMap((field) =>
    field.name === "" ? fieldsOf(structs, field.type) : [field],
  );
}

/** Returns the fields in the order of the struct, after those of every kind. */
function marked(
  properties: Readonly<Record<string, Schema>>,
  fields: readonly GoField[],
): Record<string, Schema> {
  const known = new Map(fields.map((field) => [field.name, field]));
  const names = [...Object.keys(properties).filter((name) => !known.has(name)), ...known.keys()];
  return Object.fromEntries(
    names.flatMap((name) => {
      const schema = properties[name];
      return schema ? [[name, { ...schema, go: marksOf(known.get(name)) }]] : [];
    }),
  );
}

/** `*`: a pointer. `!`: always written. `?`: not written if it is Go's zero value. */
function marksOf(field: GoField | undefined): string {
  if (!field) return "";
  const pointer = field.type.startsWith("*") ? "*" : "";
  if (field.omit.includes("omitzero")) return `${pointer}?`;
  return field.omit.includes("omitempty") ? pointer : `${pointer}!`;
}
