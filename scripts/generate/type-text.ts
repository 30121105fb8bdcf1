import type { Names } from "./names.ts";
import { refOf, type Schema, valuesOf } from "./schema.ts";

const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
const apiextensions = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";

/** Schemas with a hand-written type in `src/api`. */
export const handWritten: ReadonlyMap<string, string> = new Map([
  ["io.k8s.apimachinery.pkg.api.resource.Quantity", "Quantity"],
  ["io.k8s.apimachinery.pkg.util.intstr.IntOrString", "IntOrString"],
  ...["Condition", "LabelSelector", "LabelSelectorRequirement", "ListMeta", "ManagedFieldsEntry"].map(inMeta),
  ...["ObjectMeta", "OwnerReference", "Status", "StatusCause", "StatusDetails"].map(inMeta),
]);

/** Schemas that are written inline, because their OpenAPI is incomplete, or as short as a TypeScript type. */
export const inPlace: ReadonlyMap<string, string> = new Map([
  [`${meta}.Time`, "string"],
  [`${meta}.MicroTime`, "string"],
  [`${meta}.FieldsV1`, "Record<string, unknown>"],
  ["io.k8s.apimachinery.pkg.runtime.RawExtension", "unknown"],
  [`${apiextensions}.JSON`, "unknown"],
  [`${apiextensions}.JSONSchemaPropsOrArray`, "JSONSchemaProps | JSONSchemaProps[]"],
  [`${apiextensions}.JSONSchemaPropsOrBool`, "JSONSchemaProps | boolean"],
  [`${apiextensions}.JSONSchemaPropsOrStringArray`, "JSONSchemaProps | string[]"],
]);

/** Fields that are optional in OpenAPI, and that the server always returns and requires. */
export const alwaysThere: Readonly<Record<string, readonly string[]>> = {
  "io.k8s.api.apps.v1.ReplicaSetSpec": ["template"],
};

function inMeta(name: string): [string, string] {
  return [`${meta}.${name}`, name];
}

/** Writes the types of one module, and collects their imports. */
export class TypeWriter {
  /** Names of `src/api`. */
  readonly ours = new Set<string>();
  /** Other modules, like `core/v1`, imported whole under their folder's name. */
  readonly modules = new Set<string>();
  readonly #module: string;
  readonly #names: Names;
  readonly #embedded: ReadonlySet<string>;

  /** @param embedded schemas of whole objects, which inside another are without what the server fills */
  constructor(module: string, names: Names, embedded: ReadonlySet<string>) {
    this.#module = module;
    this.#names = names;
    this.#embedded = embedded;
  }

  our(name: string): string {
    this.ours.add(name);
    return name;
  }

  /** The type of a field. */
  text(schema: Schema): string {
    const ref = refOf(schema);
    if (ref !== undefined) return this.#refText(ref);
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
    if (schema.type === "array") return this.#listText(schema);
    const values = valuesOf(schema);
    if (values) return `Record<string, ${this.text(values)}>`;
    return plain(schema);
  }

  #listText({ items = {} }: Schema): string {
    const element = this.text(items);
    return element.includes(" | ") ? `(${element})[]` : `${element}[]`;
  }

  #refText(ref: string): string {
    const known = inPlace.get(ref);
    if (known !== undefined) return known;
    if (ref === `${meta}.ObjectMeta`) return this.our("TemplateMeta");
    const ours = handWritten.get(ref);
    if (ours !== undefined) return this.our(ours);
    const text = this.#placeText(ref);
    return this.#embedded.has(ref) ? `${this.our("Template")}<${text}>` : text;
  }

  #placeText(ref: string): string {
    const { module, name } = this.#names.place(ref);
    if (module === this.#module) return name;
    this.modules.add(module);
    return `${moduleAlias(module)}.${name}`;
  }
}

/** `core/v1` is `core` where another module refers to it. */
export function moduleAlias(module: string): string {
  return module.slice(0, module.indexOf("/"));
}

function plain({ type }: Schema): string {
  if (type === "integer" || type === "number") return "number";
  if (type === "object") return "Record<string, unknown>";
  return type ?? "unknown";
}
