import type { New } from "../api/index.ts";
import type { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import type { StructuralSchema } from "../schema/index.ts";
import type { Column, KindOptions, VersionOptions } from "./resource-definition.ts";
import type { Schema } from "./schema.ts";

/** A CustomResourceDefinition to create, apply or print. */
export type Definition = New<CustomResourceDefinition> & { readonly metadata: { readonly name: string } };

type Spec = CustomResourceDefinition["spec"];
type Version = Spec["versions"][number];

/** The declaration of a kind with its defaults. */
export interface DeclaredKind extends KindOptions {
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
}

/** A declared version with its structural schema. */
export interface DeclaredVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** True, or the warning that the server sends to clients of this version. */
  readonly deprecated?: boolean | string | undefined;
  readonly options: VersionOptions<Schema, Schema>;
  readonly schema: StructuralSchema;
}

/** Returns the CustomResourceDefinition of a kind. */
export function definitionOf(
  declared: DeclaredKind,
  versions: readonly DeclaredVersion[],
  conversion?: Spec["conversion"],
): Definition {
  const { group, plural, scope, labels, annotations } = declared;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name: `${plural}.${group}`,
      ...(labels && { labels: { ...labels } }),
      ...(annotations && { annotations: { ...annotations } }),
    },
    spec: {
      group,
      scope,
      names: namesOf(declared),
      versions: versions.map(versionOf),
      ...(conversion && { conversion }),
    },
  };
}

function namesOf({ kind, plural, shortNames, categories }: DeclaredKind): Spec["names"] {
  return {
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    ...(shortNames && { shortNames: [...shortNames] }),
    ...(categories && { categories: [...categories] }),
  };
}

function versionOf({ name, served, storage, deprecated, options, schema }: DeclaredVersion): Version {
  const { columns, selectableFields } = options;
  return {
    name,
    served,
    storage,
    ...(deprecated && { deprecated: true }),
    ...(typeof deprecated === "string" && { deprecationWarning: deprecated }),
    // The generated type has mutable lists, so this is a copy.
    schema: { openAPIV3Schema: structuredClone(schema) as NonNullable<Version["schema"]>["openAPIV3Schema"] },
    ...subresourcesOf(options),
    ...(columns && { additionalPrinterColumns: columns.map(printerColumn) }),
    ...(selectableFields && { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
  };
}

function subresourcesOf({ status, scale }: VersionOptions<Schema, Schema>): Pick<Version, "subresources"> {
  if (!status && !scale) return {};
  return { subresources: { ...(status && { status: {} }), ...(scale && { scale: { ...scale } }) } };
}

/** Returns a column as the CustomResourceDefinition has it. */
export function printerColumn({
  path,
  ...column
}: Column): NonNullable<Version["additionalPrinterColumns"]>[number] {
  return { ...column, jsonPath: path };
}
