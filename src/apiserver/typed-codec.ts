import type { KubeObject } from "../api/index.ts";
import {
  applyTypedDefaults,
  decodeTyped,
  encodeTyped,
  inFieldOrder,
  type TypedSchema,
} from "../schema/index.ts";
import { apiVersionOf } from "./object-text.ts";
import type { Codec, Resource, Strategy } from "./resource.ts";
import { noteEmpty } from "./sent-empty.ts";

/** Decodes objects of a built-in kind as the real server decodes them into its Go types. */
export function typedCodec(kind: BuiltinKind, type: TypedSchema, strategy: Strategy): Codec {
  return {
    decode({ value, notes }) {
      const decoded = decodeTyped(value ?? {}, type, { notes });
      const object = objectOf(kind, applyTypedDefaults(decoded.value, type));
      strategy.default?.(object);
      const written = objectOf(kind, encodeTyped(object, type));
      if (forgetsManagers(decoded.value)) written.metadata.managedFields = [];
      if (strategy.tellsEmpty) noteEmpty(written, decoded.value, strategy.tellsEmpty);
      return { object: written, problems: decoded.problems };
    },
    orderFields: (object) => orderParts(object, type),
    blank: () => objectOf(kind, encodeTyped({}, type)),
    validate: () => [],
  };
}

/** Puts fields that a strategy has added to `spec` or `status` where the Go type has them. */
function orderParts(object: KubeObject & { spec?: unknown; status?: unknown }, type: TypedSchema): void {
  for (const name of ["spec", "status"] as const) {
    const field = type.fields.get(name);
    if (field && object[name] !== undefined) object[name] = inFieldOrder(object[name], field.type);
  }
}

/** No managers at all is something else than nothing about them. */
function forgetsManagers(value: unknown): boolean {
  const { metadata } = value as Partial<KubeObject>;
  return metadata?.managedFields?.length === 0;
}

export type BuiltinKind = Pick<Resource, "group" | "version" | "kind">;

/** The decoder has made it an object of the kind, but for its name. */
function objectOf(kind: BuiltinKind, decoded: unknown): KubeObject {
  const { metadata, ...rest } = decoded as Partial<KubeObject>;
  return {
    ...rest,
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    metadata: { ...metadata },
  } as KubeObject;
}
