import type { KubeObject } from "../../api/index.ts";
import type { CustomResourceDefinition } from "../../api/types/apiextensions/v1.ts";
import {
  type CompiledSchema,
  compileSchema,
  equal,
  type FieldError,
  listErrors,
  type StructuralSchema,
  structuralNode,
  validate,
} from "../../schema/index.ts";
import { compareVersions } from "../discovery/version-order.ts";
import type { Resource, ScalePaths, ServedSubresource, Strategy } from "../types/resource.ts";
import { type ConversionWebhook, converterOf } from "./conversion-webhook.ts";
import { convertCustom, customCodec } from "./custom-codec.ts";
import { fieldText, simplePath } from "./field-text.ts";
import { scaleSpecErrors, scaleStatusErrors } from "./scale-errors.ts";

type Version = CustomResourceDefinition["spec"]["versions"][number];

/** Returns the storage prefix of the objects of a definition. All versions share it. */
export function customPrefix({ group, names }: CustomResourceDefinition["spec"]): string {
  return `/registry/${group}/${names.plural}/`;
}

export interface DefinitionContext {
  /** Objects stored up to this revision may follow an earlier form of the definition. */
  readonly revision: number;
  /** The conversion webhook of the definition. @default objects are not converted by a webhook */
  readonly webhook?: ConversionWebhook | undefined;
}

/**
 * Returns the resource for one version of a definition, under its accepted names. The definition must have passed
 * validation.
 */
export function resourceFromDefinition(
  crd: CustomResourceDefinition,
  version: Version,
  { revision, webhook }: DefinitionContext,
): Resource {
  const { spec, status } = crd;
  const { plural, kind, singular, listKind, shortNames, categories } = status?.acceptedNames ?? spec.names;
  const name = { group: spec.group, version: version.name, kind };
  const schema = schemaOf(version);
  const codec = customCodec(name, schema);
  const storage = spec.versions.find((one) => one.storage) ?? version;
  const conversion = { schema, storage: storage === version ? schema : schemaOf(storage) };
  const schemas = new Map(spec.versions.map((one) => [`${spec.group}/${one.name}`, () => schemaOf(one)]));
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
    fromStored: (object) => convertCustom(name, object, webhook ? { schema, storage: schema } : conversion),
    converter: webhook && converterOf(webhook, { version, storage, group: spec.group, schemas }),
    verbatimAfter: storage === version ? revision : Number.POSITIVE_INFINITY,
    ...scaleOf(version),
    strategy: strategyOf(version, schema),
    definition: {
      storageVersion: storage.name,
      deprecation: deprecationOf(spec, version),
      schema: version.schema?.openAPIV3Schema as StructuralSchema | undefined,
      columns: version.additionalPrinterColumns,
    },
  };
}

/** Compiles the schema of a version. Without a schema, objects may have any fields. */
function schemaOf({ schema }: Version): CompiledSchema {
  // Validation has checked that the schema is structural.
  const openApi = schema?.openAPIV3Schema as StructuralSchema | undefined;
  return compileSchema(openApi ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true });
}

/**
 * Returns the deprecation warning of a version. The default text recommends the first newer version in the definition.
 */
function deprecationOf(
  { group, names, versions }: CustomResourceDefinition["spec"],
  { name, deprecated, deprecationWarning }: Version,
): string | undefined {
  if (!deprecated) return undefined;
  if (deprecationWarning !== undefined) return deprecationWarning;
  const replacement = versions.find(
    (one) => one.served && !one.deprecated && compareVersions(one.name, name) < 0,
  );
  const advice = replacement ? `; use ${group}/${replacement.name} ${names.kind}` : "";
  return `${group}/${name} ${names.kind} is deprecated${advice}`;
}

const standardFinalizers = ["orphan", "foregroundDeletion", "kubernetes"];

function finalizerWarnings({ metadata }: KubeObject, before?: KubeObject): string[] {
  const known = new Set([...standardFinalizers, ...(before?.metadata.finalizers ?? [])]);
  return (metadata.finalizers ?? [])
    .filter((name) => !name.includes("/") && !known.has(name))
    .sort()
    .map((name) => {
      const suffix = name.includes(".") ? " including a path (/)" : "";
      const advice = `prefer a domain-qualified finalizer name${suffix} to avoid accidental conflicts`;
      return `metadata.finalizers: ${JSON.stringify(name)}: ${advice} with other finalizer writers`;
    });
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

function strategyOf({ subresources, selectableFields }: Version, schema: CompiledSchema): Strategy {
  const scale = subresources?.scale;
  const withStatus = subresources?.status !== undefined;
  return {
    generation: (object, before) => !equal(contentOf(object, withStatus), contentOf(before, withStatus)),
    validate: (object) =>
      scale ? [...scaleSpecErrors(object, scale), ...scaleStatusErrors(object, scale)] : [],
    warnings: finalizerWarnings,
    validateStatus: (object, before) => [
      ...statusErrors(object, before, schema),
      ...(scale ? scaleStatusErrors(object, scale) : []),
      ...listErrors(object, schema, { oldValue: before }),
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

/** Validates the status of a write to /status. Error paths start at `status`. */
function statusErrors(object: KubeObject, before: KubeObject, { properties }: CompiledSchema): FieldError[] {
  const [schema, status] = [properties.get("status"), statusOf(object)];
  if (!schema || status === undefined) return [];
  return validate(status, schema, { path: "status", oldValue: statusOf(before) });
}

function statusOf(object: KubeObject): unknown {
  return (object as { status?: unknown }).status;
}

/**
 * Returns the part of an object whose changes increment the generation: everything except metadata, and except the
 * status if it is a subresource.
 */
function contentOf(object: KubeObject, withStatus: boolean): unknown {
  const { metadata: _, ...content } = { ...object } as Partial<KubeObject> & { status?: unknown };
  if (withStatus) delete content.status;
  return content;
}
