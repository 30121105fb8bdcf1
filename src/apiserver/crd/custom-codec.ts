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
    blank: () => ({ ...named, metadata: {} }) as KubeObject,
    validate: (object, before) => schemaErrors(object, before, schema),
  };
}

export interface Conversion {
  /** Of the version that is asked for. */
  readonly schema: CompiledSchema;
  /** Of the version that an apiVersion names, if there still is one. */
  schemaOf(apiVersion: string): CompiledSchema | undefined;
}

/**
 * What was stored, perhaps in another version or by another schema, as this version has it. Defaults are those of the
 * version it was stored in; what the asked one does not declare is left out.
 */
export function convertCustom(kind: CustomKind, object: KubeObject, conversion: Conversion): KubeObject {
  const { schema, schemaOf } = conversion;
  const old = schemaOf(object.apiVersion);
  const filled = old ? applyDefaults(object, old) : object;
  const { metadata, kind: _, apiVersion: __, ...rest } = decodeCustom(filled, schema).value as KubeObject;
  return { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata, ...rest } as KubeObject;
}

/** The object with its defaults. Metadata is there even if nobody sent it. */
function completed(
  named: { readonly kind: string; readonly apiVersion: string },
  pruned: unknown,
  schema: CompiledSchema,
): KubeObject {
  // The decoder has seen to it that metadata is metadata, and a body that is no object was refused before.
  const { metadata, kind: _, apiVersion: __, ...rest } = applyDefaults(pruned, schema) as Partial<KubeObject>;
  return { ...named, metadata: { ...metadata }, ...rest } as KubeObject;
}

function schemaErrors(
  object: KubeObject,
  before: KubeObject | undefined,
  schema: CompiledSchema,
): FieldError[] {
  const old = before && { oldValue: before };
  return [
    ...validate(object, schema, old),
    ...embeddedErrors(object, schema),
    ...listErrors(object, schema, old),
  ];
}
