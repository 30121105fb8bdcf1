import { apiVersionOf, type KubeObject } from "../../api/index.ts";
import {
  applyTypedDefaults,
  decodeTyped,
  encodeTyped,
  inFieldOrder,
  type TypedSchema,
} from "../../schema/index.ts";
import type { Codec, Resource, Strategy } from "../types/resource.ts";
import { recordDefaulted, recordSentEmpty } from "./sent-empty.ts";

/** Creates a codec that decodes objects of a built-in kind like kube-apiserver decodes them into Go types. */
export function typedCodec(kind: BuiltinKind, type: TypedSchema, strategy: Strategy): Codec {
  return {
    decode({ value, notes }) {
      const decoded = decodeTyped(value ?? {}, type, { notes });
      const object = objectOf(kind, applyTypedDefaults(decoded.value, type));
      strategy.default?.(object);
      const written = objectOf(kind, encodeTyped(object, type));
      if (resetsManagers(decoded.value)) written.metadata.managedFields = [];
      if (strategy.distinguishesEmpty) recordSentEmpty(written, decoded.value, strategy.distinguishesEmpty);
      if (strategy.distinguishesDefault)
        recordDefaulted(written, decoded.value, strategy.distinguishesDefault);
      return { object: written, problems: decoded.problems };
    },
    orderFields: (object) => orderParts(object, type),
    blank: () => objectOf(kind, encodeTyped({}, type)),
    validate: () => [],
  };
}

/** Sorts fields that a strategy has added to `spec` or `status` in the order of the Go type. */
function orderParts(object: KubeObject & { spec?: unknown; status?: unknown }, type: TypedSchema): void {
  for (const name of ["spec", "status"] as const) {
    const field = type.fields.get(name);
    if (field && object[name] !== undefined) object[name] = inFieldOrder(object[name], field.type);
  }
}

/** Returns true for an empty list of managers, which differs from an absent one. */
function resetsManagers(value: unknown): boolean {
  const { metadata } = value as Partial<KubeObject>;
  return metadata?.managedFields?.length === 0;
}

export type BuiltinKind = Pick<Resource, "group" | "version" | "kind">;

/** Returns the decoded value as an object of the kind. */
function objectOf(kind: BuiltinKind, decoded: unknown): KubeObject {
  const { metadata, ...rest } = decoded as Partial<KubeObject>;
  return {
    ...rest,
    kind: kind.kind,
    apiVersion: apiVersionOf(kind),
    metadata: { ...metadata },
  } as KubeObject;
}
