import { type Kind, type KubeObject, kindName, metadataOnly, type ObjectKey } from "../api/index.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import type { Clock, Rng } from "../base/index.ts";
import { isConflict, isExpired } from "../transport/index.ts";
import type { Client } from "./client.ts";
import { isObjectNotFound } from "./object-not-found.ts";
import type { MigrateOptions, Migration } from "./options.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";

export interface MigrateCall {
  readonly client: Client;
  readonly kind: Kind;
  readonly options: MigrateOptions;
  readonly clock?: Clock | undefined;
  readonly rng?: Rng | undefined;
}

/** Rewrites all objects of a custom kind in its storage version: see `Client.migrate`. */
export async function migrate(call: MigrateCall): Promise<Migration> {
  const before = await definitionOf(call);
  const storageVersion = storageVersionOf(before);
  const removedVersions = storedVersionsOf(before).filter((version) => version !== storageVersion);
  if (removedVersions.length === 0) return { storageVersion, migrated: 0, removedVersions };
  const view = metadataOnly(servedKind(call.kind, before));
  const objects = await identities(call, view);
  await rewriteAll(call, view, objects);
  await trimStoredVersions(call, storageVersion);
  return { storageVersion, migrated: objects.length, removedVersions };
}

async function definitionOf({
  client,
  kind,
  options: { signal },
}: MigrateCall): Promise<CustomResourceDefinition> {
  const name = `${kind.plural}.${kind.group}`;
  const definition = await client.get(CustomResourceDefinition, name, { signal });
  if (definition) return definition;
  throw new TypeError(
    `expected a custom kind, got ${kindName(kind)}: there is no CustomResourceDefinition ${name}`,
  );
}

function storageVersionOf({ spec, metadata }: CustomResourceDefinition): string {
  const stored = spec.versions.find(({ storage }) => storage);
  if (!stored) throw new TypeError(`expected a storage version in ${metadata.name}, got none`);
  return stored.name;
}

function storedVersionsOf({ status }: CustomResourceDefinition): readonly string[] {
  return status?.storedVersions ?? [];
}

/** Returns the kind in its storage version, or as it is given if the storage version is not served. */
function servedKind(kind: Kind, { spec }: CustomResourceDefinition): Kind {
  const stored = spec.versions.find(({ storage, served }) => storage && served);
  return stored ? { ...kind, version: stored.name } : kind;
}

/** An object at the time of the list. */
interface Identity extends ObjectKey {
  readonly uid: string;
  readonly resourceVersion: string;
}

const maxLists = 3;

/**
 * Lists all objects before the first write, because a list that waits for writes may expire. Objects that are created
 * later have the storage version.
 */
async function identities({ client, options }: MigrateCall, view: Kind): Promise<Identity[]> {
  const { signal, pageSize } = options;
  for (let lists = 1; ; lists++) {
    try {
      const found: Identity[] = [];
      for await (const { items } of client.pages(view, { signal, pageSize }))
        found.push(...items.map(identityOf));
      return found;
    } catch (error) {
      if (!isExpired(error) || lists >= maxLists) throw error;
    }
  }
}

function identityOf({ metadata: { name, namespace, uid, resourceVersion } }: KubeObject): Identity {
  return { name, namespace, uid, resourceVersion };
}

/** Rewrites objects concurrently. The first error ends it, after the requests that are in flight. */
async function rewriteAll(call: MigrateCall, view: Kind, objects: readonly Identity[]): Promise<void> {
  const { onProgress, concurrency = 8, signal } = call.options;
  const total = objects.length;
  let migrated = 0;
  let failed = false;
  onProgress?.({ migrated, total });
  const queue = objects.values();
  const worker = async (): Promise<void> => {
    for (const object of queue) {
      if (failed) return;
      signal?.throwIfAborted();
      await rewrite(call, view, object);
      onProgress?.({ migrated: ++migrated, total });
    }
  };
  const guarded = async (): Promise<void> => {
    try {
      await worker();
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const workers = Array.from({ length: Math.max(1, Math.min(concurrency, total)) }, guarded);
  const results = await Promise.allSettled(workers);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/**
 * Writes an object without a change. The server stores it if it has another version in storage. A conflict means that
 * another client has written it since the list, in the storage version.
 */
async function rewrite(
  { client, options: { signal } }: MigrateCall,
  view: Kind,
  object: Identity,
): Promise<void> {
  const { name, namespace, uid, resourceVersion } = object;
  try {
    await client.patch(
      view,
      { name, namespace },
      { merge: { metadata: { uid, resourceVersion } } },
      { signal },
    );
  } catch (error) {
    if (!isConflict(error) && !isObjectNotFound(error)) throw error;
  }
}

/** Leaves only the storage version in `status.storedVersions`, unless it has changed since the start. */
async function trimStoredVersions(call: MigrateCall, storageVersion: string): Promise<void> {
  const { client, options, clock, rng } = call;
  const { signal } = options;
  await retryOnConflict(
    async () => {
      const definition = await definitionOf(call);
      const { name, resourceVersion } = definition.metadata;
      const now = storageVersionOf(definition);
      if (now !== storageVersion) throw changedVersion(name, storageVersion, now);
      const merge = { metadata: { resourceVersion }, status: { storedVersions: [storageVersion] } };
      await client.patch(CustomResourceDefinition, name, { merge }, { subresource: "status", signal });
    },
    { signal, clock, rng },
  );
}

function changedVersion(name: string, before: string, now: string): Error {
  return new Error(
    `the storage version of ${name} changed from ${before} to ${now} during the migration: run it again`,
  );
}
