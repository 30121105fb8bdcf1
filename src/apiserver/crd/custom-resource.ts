import type { KubeObject } from "../../api/index.ts";
import type { CustomResourceDefinition } from "../../api/types/apiextensions/v1.ts";
import {
  type CompiledSchema,
  compileSchema,
  equal,
  type StructuralSchema,
  structuralNode,
} from "../../schema/index.ts";
import type { Codec, Resource, ScalePaths, ServedSubresource, Strategy } from "../resource.ts";
import { type Conversion, convertCustom, customCodec } from "./custom-codec.ts";
import { fieldText, simplePath } from "./field-text.ts";
import { scaleSpecErrors, scaleStatusErrors } from "./scale-errors.ts";

type Version = CustomResourceDefinition["spec"]["versions"][number];

/** Objects of the kind are stored here, whatever their version. */
export function customPrefix({ group, names }: CustomResourceDefinition["spec"]): string {
  return `/registry/${group}/${names.plural}/`;
}

/**
 * One version of a custom kind, as its definition wants it served, under the names it was given.
 *
 * Expects a definition that has passed its own validation.
 */
export function resourceFromDefinition(crd: CustomResourceDefinition, version: Version): Resource {
  const { spec, status } = crd;
  const { plural, kind, singular, listKind, shortNames, categories } = status?.acceptedNames ?? spec.names;
  const name = { group: spec.group, version: version.name, kind };
  const schema = schemaOf(version);
  const codec = customCodec(name, schema);
  const conversion = { schema, schemaOf: schemasOf(spec) };
  return {
    ...name,
    listKind: listKind || `${kind}List`,
    plural,
    singular: singular || kind.toLowerCase(),
    namespaced: spec.scope === "Namespaced",
    shortNames: shortNames ?? [],
    categories: categories ?? [],
    verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
    subresources: subresourcesOf(name, version),
    custom: true,
    storagePrefix: customPrefix(spec),
    node: structuralNode(schema.schema),
    codec,
    fromStored: (object) => convertCustom(name, object, conversion),
    ...scaleOf(version),
    strategy: strategyOf(version, codec),
    definition: {
      storageVersion: spec.versions.find(({ storage }) => storage)?.name ?? version.name,
      schema: version.schema?.openAPIV3Schema as StructuralSchema | undefined,
      columns: version.additionalPrinterColumns,
    },
  };
}

/** Without a schema, everything may stand in an object. */
function schemaOf({ schema }: Version): CompiledSchema {
  // The definition has been checked to have structural schemas.
  const openApi = schema?.openAPIV3Schema as StructuralSchema | undefined;
  return compileSchema(openApi ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true });
}

/** The schemas of all versions, each compiled when it is first needed. */
function schemasOf({ group, versions }: CustomResourceDefinition["spec"]): Conversion["schemaOf"] {
  const found = versions.map((version) => [`${group}/${version.name}`, version] as const);
  const known = new Map<string, CompiledSchema>();
  return (apiVersion) => {
    const version = found.find(([name]) => name === apiVersion)?.[1];
    const schema = known.get(apiVersion) ?? (version && schemaOf(version));
    if (schema) known.set(apiVersion, schema);
    return schema;
  };
}

function subresourcesOf(
  name: { readonly group: string; readonly version: string; readonly kind: string },
  { subresources }: Version,
): ServedSubresource[] {
  const verbs = ["get", "patch", "update"];
  return [
    ...(subresources?.status ? [{ name: "status", ...name, verbs }] : []),
    ...(subresources?.scale
      ? [{ name: "scale", group: "autoscaling", version: "v1", kind: "Scale", verbs }]
      : []),
  ];
}

function scaleOf({ subresources }: Version): { readonly scale?: ScalePaths } {
  if (!subresources?.scale) return {};
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = subresources.scale;
  return {
    scale: {
      specReplicas: specReplicasPath,
      statusReplicas: statusReplicasPath,
      selector: labelSelectorPath,
    },
  };
}

function strategyOf({ subresources, selectableFields }: Version, codec: Codec): Strategy {
  const scale = subresources?.scale;
  const withStatus = subresources?.status !== undefined;
  return {
    generation: (object, before) => !equal(contentOf(object, withStatus), contentOf(before, withStatus)),
    validate: (object) =>
      scale ? [...scaleSpecErrors(object, scale), ...scaleStatusErrors(object, scale)] : [],
    validateStatus: (object, before) => [
      ...codec.validate(object, before),
      ...(scale ? scaleStatusErrors(object, scale) : []),
    ],
    fields: Object.fromEntries(
      (selectableFields ?? []).map(({ jsonPath }) => [
        simplePath(jsonPath).join("."),
        (object) => fieldText(object, simplePath(jsonPath)),
      ]),
    ),
    unknownField: (field) => `field label not supported: ${field}`,
  };
}

/** What a new generation is about: everything but metadata, and but the status where that is written apart. */
function contentOf(object: KubeObject, withStatus: boolean): unknown {
  const { metadata: _, ...content } = { ...object } as Partial<KubeObject> & { status?: unknown };
  if (withStatus) delete content.status;
  return content;
}
