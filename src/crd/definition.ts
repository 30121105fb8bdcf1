import type { New } from "../api/index.ts";
import type { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import type { StructuralSchema } from "../schema/index.ts";
import type { Schema } from "./schema.ts";

/** A CustomResourceDefinition to create, apply or print. */
export type Definition = New<CustomResourceDefinition> & { readonly metadata: { readonly name: string } };

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  /** The JSON path of the value in the object: `.spec.image`. */
  readonly path: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "date";
  readonly description?: string | undefined;
}

/** The declaration of a custom kind. */
export interface ResourceDefinition<S extends Schema, U extends Schema> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The plural name in paths. @default the English plural of the kind in lower case */
  readonly plural?: string | undefined;
  /** Short names for kubectl. @default none */
  readonly shortNames?: readonly string[] | undefined;
  /** @default "Namespaced" */
  readonly scope?: "Namespaced" | "Cluster" | undefined;
  readonly spec: S;
  /**
   * The schema of the status. It enables the status subresource: users write the spec, controllers the status. @default
   * none
   */
  readonly status?: U | undefined;
  /** Columns of `kubectl get`. @default name and age */
  readonly columns?: readonly Column[] | undefined;
  /** Annotations of the CustomResourceDefinition, not of objects. @default none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

type Version = CustomResourceDefinition["spec"]["versions"][number];

interface Declared extends ResourceDefinition<Schema, Schema> {
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
}

/** Returns the CustomResourceDefinition of a kind with one version, which is served and stored. */
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
    // The generated type has mutable lists, so this is a copy.
    schema: { openAPIV3Schema: structuredClone(schema) as NonNullable<Version["schema"]>["openAPIV3Schema"] },
    ...(status && { subresources: { status: {} } }),
    ...(columns && { additionalPrinterColumns: columns.map(printerColumn) }),
  };
}

function printerColumn({
  path,
  ...column
}: Column): NonNullable<Version["additionalPrinterColumns"]>[number] {
  return { ...column, jsonPath: path };
}
