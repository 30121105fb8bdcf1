import type { KubeObject } from "../api/index.ts";
import type { ObjectAnswer } from "./answer.ts";
import { createObject } from "./create.ts";
import { callBody, decodeObject } from "./decode.ts";
import { type Call, type Engine, storageKey } from "./engine.ts";
import { withManagers } from "./field-managers.ts";
import { modifyObject } from "./modify.ts";
import { dedupeOwners } from "./owner-references.ts";
import { checkName, checkUid, settleNamespace, uidConflict } from "./prepare.ts";
import { notFound } from "./status-error.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";

/** PUT: replaces an object, or the part of it that the subresource is about. */
export async function update(engine: Engine, call: Call): Promise<ObjectAnswer> {
  const options = writeOptions(call.request, "UpdateOptions");
  const body = await callBody(call);
  const object = decodeObject(call, body, options.fieldValidation);
  checkName(call, object);
  settleNamespace(call, object);
  const key = storageKey(call.resource, object.metadata);
  if (!engine.storage.get(key)) return createByUpdate(engine, call, { object, options });
  const version = modifyObject(engine, call, {
    options,
    wanted: (current) => {
      checkUid(call, object, current);
      dedupeOwners(object.metadata, call.warnings);
      return withManagers(engine, call, { next: object, live: current, options });
    },
  });
  return { type: "object", code: 200, version };
}

function createByUpdate(
  engine: Engine,
  call: Call,
  { object, options }: { readonly object: KubeObject; readonly options: WriteOptions },
): ObjectAnswer {
  const { resource, name, subresource } = call;
  if (!resource.strategy.createOnUpdate || subresource) throw notFound(resource, name);
  if (object.metadata.uid) throw uidConflict(call, object.metadata.uid, undefined);
  const { resourceVersion: _, ...metadata } = object.metadata;
  const draft = { ...object, metadata: { ...metadata, resourceVersion: "" } };
  const owned = withManagers(engine, call, { next: draft, options });
  return { type: "object", code: 201, version: createObject(engine, call, { object: owned, options }) };
}
