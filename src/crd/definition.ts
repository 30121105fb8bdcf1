import type { New } from "../api/index.ts";
import type { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import type { StructuralSchema } from "../schema/index.ts";
import type { Schema } from "./schema.ts";

/** A CustomResourceDefinition on its way to a server: to be created, applied or printed. */
export type Definition = New<CustomResourceDefinition> & { readonly metadata: { readonly name: string } };

/** What kubectl shows of each object, in a column. */
export interface Column {
  readonly name: string;
  /** From the object to the value: `.spec.image`. */
  readonly path: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly description?: string | undefined;
}

/** What a kind is declared by. */
export interface ResourceDefinition<S extends Schema, U extends Schema> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** @default the kind in lower case, as English has it */
  readonly plural?: string | undefined;
  /** For kubectl. @default none */
  readonly shortNames?: readonly string[] | undefined;
  /** @default "Namespaced" */
  readonly scope?: "Namespaced" | "Cluster" | undefined;
  readonly spec: S;
  /** With one the kind has the status subresource: people write the spec, controllers the status. @default none */
  readonly status?: U | undefined;
  /** @default those of the server: name and age */
  readonly columns?: readonly Column[] | undefined;
  /** Of the definition, not of objects. @default none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

type Version = CustomResourceDefinition["spec"]["versions"][number];

interface Declared extends ResourceDefinition<Schema, Schema> {
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
}

/** The CustomResourceDefinition of a kind with one version, which is served and stored. */
export function definitionOf(declared: Declared, schema: StructuralSchema): Definition {
  const { group, kind, plural, scope, shortNames, annotations } = declared;
  const names = { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}`, ...(annotations && { annotations: { ...annotations } }) },
    spec: {
      group,
      scope,
      names: { ...names, ...(shortNames && { shortNames: [...shortNames] }) },
      versions: [versionOf(declared, schema)],
    },
  };
}

function versionOf({ version, status, columns }: Declared, schema: StructuralSchema): Version {
  return {
    name: version,
    served: true,
    storage: true,
    // The same words, which the generated types have as lists that may be changed: these are a copy.
    schema: { openAPIV3Schema: structuredClone(schema) as NonNullable<Version["schema"]>["openAPIV3Schema"] },
    ...(status && { subresources: { status: {} } }),
    ...(columns && { additionalPrinterColumns: columns.map(printed) }),
  };
}

function printed({ path, ...column }: Column): NonNullable<Version["additionalPrinterColumns"]>[number] {
  return { ...column, jsonPath: path };
}
