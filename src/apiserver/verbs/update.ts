import type { KubeObject } from "../../api/index.ts";
import { TimeSlice, type WaitingSteps } from "../../base/index.ts";
import type { Body } from "../codec/document.ts";
import { storageKey } from "../storage/storage-key.ts";
import { notFound } from "../types/status-error.ts";
import { type WriteOptions, writeOptions } from "../types/write-options.ts";
import { dedupeOwners } from "../validation/owner-references.ts";
import { createObject } from "./create.ts";
import { callBody, decodeObject } from "./decode.ts";
import type { Call, Engine } from "./engine.ts";
import { withManagers } from "./field-managers.ts";
import { guaranteedUpdate } from "./guaranteed-update.ts";
import { checkName, checkUid, checkVersionText, settleNamespace } from "./prepare.ts";
import type { ObjectResult } from "./verb-result.ts";

/** Handles PUT: replaces an object, or the part of it that the subresource exposes. */
export async function update(engine: Engine, call: Call): Promise<ObjectResult> {
  const options = writeOptions(call.request, "UpdateOptions");
  const slice = new TimeSlice(engine.clock);
  const body = await callBody(call);
  if (slice.over) await slice.pause();
  return slice.run(decodeAndUpdate(engine, call, { body, options }));
}

interface Update {
  readonly body: Body;
  readonly options: WriteOptions;
}

function* decodeAndUpdate(engine: Engine, call: Call, { body, options }: Update): WaitingSteps<ObjectResult> {
  const object = decodeObject(call, body, options.fieldValidation);
  yield;
  settleNamespace(call, object);
  checkName(call, object);
  dedupeOwners(object.metadata, call.warnings);
  const key = storageKey(call.resource, object.metadata);
  if (!engine.storage.get(key)) return yield* createByUpdate(engine, call, { object, options });
  const version = yield* guaranteedUpdate(engine, call, {
    options,
    readOnly: true,
    *tryUpdate(current) {
      checkUid(call, object, { found: current, dryRun: options.dryRun });
      return yield* withManagers(engine, call, { next: object, live: current, options });
    },
  });
  return { type: "object", code: 200, version };
}

function* createByUpdate(
  engine: Engine,
  call: Call,
  { object, options }: { readonly object: KubeObject; readonly options: WriteOptions },
): WaitingSteps<ObjectResult> {
  const { resource, name } = call;
  if (!resource.strategy.createOnUpdate) throw notFound(resource, name);
  checkUid(call, object, options);
  checkVersionText(object);
  const { resourceVersion, ...metadata } = object.metadata;
  const visibleVersion = options.dryRun ? resourceVersion : "";
  const draft = { ...object, metadata: { ...metadata, resourceVersion: visibleVersion } };
  const owned = yield* withManagers(engine, call, { next: draft, options });
  const version = yield* createObject(engine, call, { object: owned, options, upsert: true });
  return { type: "object", code: 201, version };
}
