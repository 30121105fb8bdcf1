import type { KubeObject } from "../../api/index.ts";
import {
  applyDefaults,
  type CompiledSchema,
  decodeCustom,
  embeddedErrors,
  type FieldError,
  listErrors,
  validate,
} from "../../schema/index.ts";
import { embeddedMetaErrors } from "../meta-validation.ts";
import { apiVersionOf } from "../object-text.ts";
import type { Codec, Resource } from "../resource.ts";

export type CustomKind = Pick<Resource, "group" | "version" | "kind">;

/** Decodes and checks objects of a custom kind by its schema. */
export function customCodec(kind: CustomKind, schema: CompiledSchema): Codec {
  const named = { kind: kind.kind, apiVersion: apiVersionOf(kind) };
  return {
    decode({ value, duplicates }) {
      const { value: pruned, unknown } = decodeCustom(value ?? {}, schema);
      return {
        object: completed(named, pruned, schema),
        problems: [
          ...duplicates.map((path) => ({ type: "duplicate", path }) as const),
          ...unknown.map((path) => ({ type: "unknown", path }) as const),
        ],
      };
    },
    asApplied: (value) => appliedObject(named, value, schema),
    blank: () => ({ ...named, metadata: {} }) as KubeObject,
    validate: (object, before) => {
      const own = object.kind === named.kind && object.apiVersion === named.apiVersion;
      return schemaErrors(object, before, { schema, own });
    },
  };
}

export interface Conversion {
  /** Of the version that is asked for. */
  readonly schema: CompiledSchema;
  /** Of the version that objects are stored in. */
  readonly storage: CompiledSchema;
}

/**
 * What was stored, perhaps by another version or another schema, as this version has it. Only the version that objects
 * are stored in gives defaults, and what either does not declare is left out.
 */
export function convertCustom(
  kind: CustomKind,
  object: KubeObject,
  { schema, storage }: Conversion,
): KubeObject {
  const filled = applyDefaults(decodeCustom(object, storage).value, storage);
  const shown = schema === storage ? filled : decodeCustom(filled, schema).value;
  const { metadata, kind: _, apiVersion: __, ...rest } = shown as KubeObject;
  return { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata, ...rest } as KubeObject;
}

interface Named {
  readonly kind: string;
  readonly apiVersion: string;
}

/** The object with its defaults. Metadata is there even if nobody sent it. */
function completed(named: Named, pruned: unknown, schema: CompiledSchema): KubeObject {
  // The decoder has seen to it that metadata is metadata, and a body that is no object was refused before.
  const { metadata, kind: _, apiVersion: __, ...rest } = applyDefaults(pruned, schema) as Partial<KubeObject>;
  return { ...named, metadata: { ...metadata }, ...rest } as KubeObject;
}

/** What the schema does not declare stays, nulls and empty metadata too. */
function appliedObject(named: Named, value: unknown, schema: CompiledSchema): KubeObject {
  const { metadata: decoded } = decodeCustom(value, schema).value as KubeObject;
  const filled = applyDefaults(value, schema, { keepNulls: true }) as Partial<KubeObject>;
  const { metadata = {}, kind: _, apiVersion: __, ...rest } = filled;
  const empty = Object.entries(emptyMeta).filter(([name]) => name in metadata);
  return { ...named, metadata: { ...Object.fromEntries(empty), ...decoded }, ...rest } as KubeObject;
}

/** What metadata may have without saying anything. */
const emptyMeta = { generateName: "", labels: {}, annotations: {}, ownerReferences: [], finalizers: [] };

/** The decoder has seen to it that metadata is metadata. */
function embeddedMeta(metadata: unknown, path: string): FieldError[] {
  return embeddedMetaErrors(metadata as Partial<KubeObject["metadata"]>, path);
}

interface Checking {
  readonly schema: CompiledSchema;
  /** Whether the object says it is of the kind. Of another, only embedded objects and lists are looked at. */
  readonly own: boolean;
}

function schemaErrors(
  object: KubeObject,
  before: KubeObject | undefined,
  { schema, own }: Checking,
): FieldError[] {
  const old = before && { oldValue: before };
  return [
    ...(own ? validate(object, schema, old) : []),
    ...embeddedErrors(object, schema, { metadata: embeddedMeta }),
    ...listErrors(object, schema, old),
  ];
}
