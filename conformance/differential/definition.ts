import type { JsonObject } from "./script.ts";

export interface DefinitionOptions {
  readonly plural: string;
  readonly kind: string;
  /** Its `openAPIV3Schema`. */
  readonly schema: object;
  readonly subresources?: object | undefined;
  readonly additionalPrinterColumns?: readonly object[] | undefined;
  readonly selectableFields?: readonly object[] | undefined;
}

/** The CustomResourceDefinition of a namespaced kind in the group that scripts use, of version v1. */
export function definitionOf({ plural, kind, schema, ...version }: DefinitionOptions): JsonObject {
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version },
      ],
    },
  };
  // The definition consists of JSON values only.
  return definition as unknown as JsonObject;
}

const group = "differential.example.dev";
