import type { KubeObject } from "../../api/index.ts";
import { writeJson } from "../../schema/index.ts";
import type { Resource } from "../types/resource.ts";
import { parseStored } from "./document.ts";
import { storable } from "./object-meta.ts";
import type { ObjectVersion } from "./object-version.ts";

/**
 * Converts stored objects to the version of the resource by its webhook, in one call, so that they can be read. Objects
 * that need no webhook, and those that have been converted before, are not sent.
 */
export async function convertVersions(resource: Resource, versions: readonly ObjectVersion[]): Promise<void> {
  const { converter } = resource;
  if (!converter) return;
  const cache = cacheOf(resource);
  const missing = versions.filter((one) => isMissing(resource, one));
  if (missing.length === 0) return;
  // Only objects are stored.
  const objects = await converter.fromStorage(missing.map(({ json }) => parseStored(json) as KubeObject));
  for (const [index, object] of objects.entries()) {
    const version = missing[index];
    if (version) cache.set(keyOf(version), writeJson(storable(object)));
  }
}

/**
 * Converts one stored object, also if it has been converted before. As on kube-apiserver, lists and watches share
 * converted objects, and every other read calls the webhook.
 */
export async function convertAgain(resource: Resource, version: ObjectVersion): Promise<void> {
  if (!resource.converter) return;
  cacheOf(resource).delete(keyOf(version));
  await convertVersions(resource, [version]);
}

/** Returns true if an object has to be converted by a webhook before it can be read. */
export function isMissing(resource: Resource, version: ObjectVersion): boolean {
  return needsWebhook(resource, version) && !cacheOf(resource).has(keyOf(version));
}

/** Returns the converted object as JSON, or `undefined` if it needs no webhook. */
export function convertedJson(resource: Resource, version: ObjectVersion): string | undefined {
  if (!needsWebhook(resource, version)) return undefined;
  const json = cacheOf(resource).get(keyOf(version));
  if (json === undefined) throw new Error("expected a converted object, got one that was not converted");
  return json;
}

function needsWebhook({ converter, group, version }: Resource, { json }: ObjectVersion): boolean {
  return converter !== undefined && apiVersionIn(json) !== `${group}/${version}`;
}

/** Returns the API version of a stored object, which is its first or second field. */
function apiVersionIn(json: string): string | undefined {
  return /^\{(?:"kind":"[^"]*",)?"apiVersion":"([^"]*)"/.exec(json)?.[1];
}

const keyOf = (version: ObjectVersion): ObjectVersion => version.source ?? version;

function cacheOf(resource: Resource): WeakMap<ObjectVersion, string> {
  const found = caches.get(resource) ?? new WeakMap<ObjectVersion, string>();
  caches.set(resource, found);
  return found;
}

/** The converted objects by resource and stored version. */
const caches = new WeakMap<Resource, WeakMap<ObjectVersion, string>>();
