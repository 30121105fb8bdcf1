import type { KubeObject } from "../api/index.ts";
import { parseStored } from "./document.ts";
import { storable } from "./object-meta.ts";
import type { Resource } from "./resource.ts";
import { writeJson } from "./write-json.ts";

/** An object as text without resourceVersion, and its revision. A dry run's creation has none. */
export interface ObjectVersion {
  readonly json: string;
  readonly revision: number | undefined;
}

/**
 * The text of an object as a resource serves it, resourceVersion and all. What was stored by the same version of the
 * kind is not parsed: the resourceVersion is put after the uid.
 */
export function objectText(resource: Resource, version: ObjectVersion): string {
  const own = ownText(resource, version);
  const place = versionPlace(own);
  return `${own.slice(0, place)}${versionText(version)}${own.slice(place)}`;
}

/**
 * The text as it stands in a list, in parts to be joined: only custom kinds repeat apiVersion and kind there. What is
 * long is not copied to make them.
 */
export function itemParts(resource: Resource, version: ObjectVersion): readonly string[] {
  const own = ownText(resource, version);
  const place = versionPlace(own);
  const [opening, from] = resource.custom ? ["", 0] : ["{", headOf(resource).length];
  return [opening, own.slice(from, place), versionText(version), own.slice(place)];
}

function ownText(resource: Resource, version: ObjectVersion): string {
  return isVerbatim(resource, version)
    ? version.json
    : writeJson(storable(fromStored(resource, version.json)));
}

/** After the uid. */
function versionPlace(own: string): number {
  const uid = own.indexOf(uidField);
  return own.indexOf('"', uid + uidField.length) + 1;
}

/** No name or namespace before it can look like it: quotes in them are escaped. */
const uidField = '"uid":"';

function versionText({ revision }: ObjectVersion): string {
  return revision === undefined ? "" : `,"resourceVersion":"${revision}"`;
}

/** The object that is stored, as the resource serves it, without resourceVersion. */
export function storedObject(resource: Resource, version: ObjectVersion): KubeObject {
  const { json } = version;
  // What is stored was an object when it was written.
  return isVerbatim(resource, version) ? (parseStored(json) as KubeObject) : fromStored(resource, json);
}

/** A version of an object, with its resourceVersion if it has one, in the place where it is served. */
export function versionObject(resource: Resource, version: ObjectVersion): KubeObject {
  const { revision } = version;
  if (isVerbatim(resource, version)) return parseStored(objectText(resource, version)) as KubeObject;
  const object = storedObject(resource, version);
  // A dry run's creation has none.
  if (revision !== undefined) object.metadata.resourceVersion = String(revision);
  return object;
}

/** Whether an object is served as it is stored. */
function isVerbatim(
  resource: Resource,
  { json, revision = Number.POSITIVE_INFINITY }: ObjectVersion,
): boolean {
  return revision > (resource.verbatimAfter ?? -1) && json.startsWith(headOf(resource));
}

function fromStored(resource: Resource, json: string): KubeObject {
  const object = parseStored(json) as KubeObject;
  return resource.fromStored?.(object) ?? { ...object, apiVersion: apiVersionOf(resource) };
}

/** What every object of the resource begins with. */
function headOf(resource: Resource): string {
  const known = heads.get(resource);
  if (known !== undefined) return known;
  const head = `{"kind":"${resource.kind}","apiVersion":"${apiVersionOf(resource)}",`;
  heads.set(resource, head);
  return head;
}

const heads = new WeakMap<Resource, string>();

export function apiVersionOf({ group, version }: Pick<Resource, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}
