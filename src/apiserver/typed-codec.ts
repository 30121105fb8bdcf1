import type { KubeObject } from "../api/index.ts";
import { blankObject } from "../patch/index.ts";
import { applyTypedDefaults, decodeTyped, type TypedSchema } from "../schema/index.ts";
import { apiVersionOf } from "./object-text.ts";
import type { Codec, Resource, Strategy } from "./resource.ts";

/** Decodes objects of a built-in kind as the real server decodes them into its Go types. */
export function typedCodec(kind: BuiltinKind, type: TypedSchema, strategy: Strategy): Codec {
  return {
    decode({ value, notes }) {
      const decoded = decodeTyped(value ?? {}, type, { notes });
      const object = objectOf(kind, applyTypedDefaults(decoded.value, type));
      strategy.default?.(object);
      return { object, problems: decoded.problems };
    },
    blank: () => objectOf(kind, structuredClone(blankObject(kind))),
    validate: () => [],
  };
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
