import type { KubeObject } from "../../api/index.ts";
import { runAtOnce, TimeSlice } from "../../base/index.ts";
import { typedNode, typedSchema } from "../../schema/index.ts";
import { type BuiltinKind, typedCodec } from "../codec/typed-codec.ts";
import type { Resource } from "../types/resource.ts";
import { type WriteOptions, writeOptions } from "../types/write-options.ts";
import { admitMutating, admitValidating } from "./admit.ts";
import { callBody, decodeObject } from "./decode.ts";
import type { Call, Engine } from "./engine.ts";
import { withManagers } from "./field-managers.ts";
import { settleNamespace } from "./prepare.ts";

/** Returns the call as if its body, of a kind that is never stored, were an object of the resource. */
export function callFor(call: Call, { group, version, kind }: BuiltinKind): Call {
  const name = { group, version, kind };
  const resource: Resource = {
    ...call.resource,
    ...name,
    ...structureOf(name),
    custom: false,
    subresources: [],
    strategy: {},
  };
  return { ...call, resource };
}

function structureOf(kind: BuiltinKind): Pick<Resource, "node" | "codec"> {
  const node = typedNode(kind);
  const type = typedSchema(kind);
  if (!node || !type)
    throw new Error(`expected a schema of ${kind.kind} in ${kind.group}/${kind.version}, got none`);
  return { node, codec: typedCodec(kind, type, {}) };
}

export interface SentBody<T extends KubeObject> {
  readonly object: T;
  readonly options: WriteOptions;
  /** Calls the validating webhooks for the object. */
  validate(): Promise<void>;
}

/**
 * Decodes the object of a POST that is acted on and not stored, and calls its mutating webhooks. `T` is the type of its
 * schema.
 */
export async function sentObject<T extends KubeObject>(engine: Engine, call: Call): Promise<SentBody<T>> {
  const { group, version, kind } = call.subresource ?? call.resource;
  const inner = callFor(call, { group, version, kind });
  const options = writeOptions(call.request, "CreateOptions");
  const next = decodeObject(inner, await callBody(inner), options.fieldValidation);
  settleNamespace(inner, next);
  const sent = runAtOnce(withManagers(engine, inner, { next, options }));
  const { resource } = inner;
  const slice = new TimeSlice(engine.clock);
  const operation = "CREATE";
  const object = await slice.run(admitMutating(engine, call, { operation, object: sent, options, resource }));
  return {
    object: object as T,
    options,
    async validate() {
      await slice.run(admitValidating(engine, call, { operation, object, options }));
    },
  };
}
