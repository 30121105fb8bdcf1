import { apiVersionOf, type KubeObject } from "../../api/index.ts";
import {
  applyDefaults,
  type CompiledSchema,
  decodeCustom,
  embeddedErrors,
  type FieldError,
  listErrors,
  validate,
} from "../../schema/index.ts";
import type { Codec, Resource } from "../types/resource.ts";
import { embeddedMetaErrors } from "../validation/meta-validation.ts";

export type CustomKind = Pick<Resource, "group" | "version" | "kind">;

/** Decodes and validates objects of a custom resource by its schema. */
export function customCodec(kind: CustomKind, schema: CompiledSchema): Codec {
  const typeMeta = { kind: kind.kind, apiVersion: apiVersionOf(kind) };
  return {
    decode({ value, duplicates }) {
      const { value: pruned, unknown } = decodeCustom(value ?? {}, schema);
      return {
        object: completed(typeMeta, pruned, schema),
        problems: [
          ...duplicates.map((path) => ({ type: "duplicate", path }) as const),
          ...unknown.map((path) => ({ type: "unknown", path }) as const),
        ],
      };
    },
    asApplied: (value) => appliedObject(typeMeta, value, schema),
    blank: () => ({ ...typeMeta, metadata: {} }) as KubeObject,
    validate: (object, before) => {
      const own = object.kind === typeMeta.kind && object.apiVersion === typeMeta.apiVersion;
      return schemaErrors(object, before, { schema, own });
    },
  };
}

/** The schemas that a stored object passes through when it is read. */
export interface Conversion {
  /** The schema of the requested version. */
  readonly schema: CompiledSchema;
  /** The schema of the storage version. */
  readonly storage: CompiledSchema;
}

/**
 * Converts a stored object, which may have another version or an older schema, to the requested version. Only the
 * schema of the storage version sets defaults. Fields that either schema does not declare are pruned.
 */
export function convertCustom(
  kind: CustomKind,
  object: KubeObject,
  { schema, storage }: Conversion,
): KubeObject {
  const defaulted = applyDefaults(decodeCustom(object, storage).value, storage);
  const converted = schema === storage ? defaulted : decodeCustom(defaulted, schema).value;
  const { metadata, kind: _, apiVersion: __, ...rest } = converted as KubeObject;
  return { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata, ...rest } as KubeObject;
}

interface TypeMeta {
  readonly kind: string;
  readonly apiVersion: string;
}

/** Returns the object with its defaults. Its metadata is set even if the client sent none. */
function completed(typeMeta: TypeMeta, pruned: unknown, schema: CompiledSchema): KubeObject {
  // The decoder has validated the metadata, and the engine has rejected bodies that are not objects.
  const { metadata, kind: _, apiVersion: __, ...rest } = applyDefaults(pruned, schema) as Partial<KubeObject>;
  return { ...typeMeta, metadata: { ...metadata }, ...rest } as KubeObject;
}

/**
 * Returns an applied object with its defaults. Fields that the schema does not declare, nulls and empty metadata stay.
 */
function appliedObject(typeMeta: TypeMeta, value: unknown, schema: CompiledSchema): KubeObject {
  const { metadata: decoded } = decodeCustom(value, schema).value as KubeObject;
  const defaulted = applyDefaults(value, schema, { keepNulls: true }) as Partial<KubeObject>;
  const { metadata = {}, kind: _, apiVersion: __, ...rest } = defaulted;
  const empty = Object.entries(emptyMetadata).filter(([name]) => name in metadata);
  return { ...typeMeta, metadata: { ...Object.fromEntries(empty), ...decoded }, ...rest } as KubeObject;
}

/** Metadata fields that may be present without a value. */
const emptyMetadata = { generateName: "", labels: {}, annotations: {}, ownerReferences: [], finalizers: [] };

/** Validates the metadata of an embedded object. The decoder has checked its type. */
function embeddedMetadataErrors(metadata: unknown, path: string): FieldError[] {
  return embeddedMetaErrors(metadata as Partial<KubeObject["metadata"]>, path);
}

interface ValidationContext {
  readonly schema: CompiledSchema;
  /**
   * True if apiVersion and kind of the object are those of the resource. Otherwise only embedded objects and lists are
   * validated.
   */
  readonly own: boolean;
}

function schemaErrors(
  object: KubeObject,
  before: KubeObject | undefined,
  { schema, own }: ValidationContext,
): FieldError[] {
  const old = before && { oldValue: before };
  return [
    ...(own ? validate(object, schema, old) : []),
    ...embeddedErrors(object, schema, { metadata: embeddedMetadataErrors }),
    ...listErrors(object, schema, old),
  ];
}
