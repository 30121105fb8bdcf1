import { apiVersionOf, type KubeObject } from "../../api/index.ts";
import { writeJson } from "../../schema/index.ts";
import type { Resource } from "../types/resource.ts";
import { convertedJson } from "./converted-versions.ts";
import { parseStored } from "./document.ts";
import { storable } from "./object-meta.ts";
import type { ObjectVersion } from "./object-version.ts";

/**
 * Returns the JSON of an object as a resource serves it, including its resourceVersion. An object that the same version
 * of the kind stored is not parsed: the resourceVersion is inserted after the uid.
 */
export function objectText(resource: Resource, version: ObjectVersion): string {
  const text = servedText(resource, version);
  const index = versionIndex(text);
  return `${text.slice(0, index)}${versionText(version)}${text.slice(index)}`;
}

/**
 * Returns the JSON of a list item in parts to be joined, so that long texts are not copied. Only items of custom kinds
 * have apiVersion and kind.
 */
export function itemParts(resource: Resource, version: ObjectVersion): readonly string[] {
  const text = servedText(resource, version);
  const index = versionIndex(text);
  const [opening, from] = resource.custom ? ["", 0] : ["{", headOf(resource).length];
  return [opening, text.slice(from, index), versionText(version), text.slice(index)];
}

function servedText(resource: Resource, version: ObjectVersion): string {
  return isVerbatim(resource, version) ? version.json : writeJson(storable(fromStored(resource, version)));
}

/** Returns the index after the uid, at which the resourceVersion is inserted. */
function versionIndex(text: string): number {
  const uid = text.indexOf(uidField);
  return text.indexOf('"', uid + uidField.length) + 1;
}

/** The start of the uid field. Names and namespaces before it cannot contain this text, because quotes are escaped. */
const uidField = '"uid":"';

function versionText({ revision }: ObjectVersion): string {
  return revision === undefined ? "" : `,"resourceVersion":"${revision}"`;
}

/** Returns the stored object as the resource serves it, without resourceVersion. */
export function storedObject(resource: Resource, version: ObjectVersion): KubeObject {
  const { json } = version;
  // Only objects are stored.
  return isVerbatim(resource, version) ? (parseStored(json) as KubeObject) : fromStored(resource, version);
}

/** Returns the object with its resourceVersion, if it has one, at the place at which it is served. */
export function versionObject(resource: Resource, version: ObjectVersion): KubeObject {
  const { revision } = version;
  if (isVerbatim(resource, version)) return parseStored(objectText(resource, version)) as KubeObject;
  const object = storedObject(resource, version);
  // An object that a dry run creates has none.
  if (revision !== undefined) object.metadata.resourceVersion = String(revision);
  return object;
}

/** Returns true if an object is served as it is stored, or as a dry run returns it. */
function isVerbatim(resource: Resource, { json, revision }: ObjectVersion): boolean {
  const current = revision === undefined || revision > (resource.verbatimAfter ?? -1);
  return current && json.startsWith(headOf(resource));
}

function fromStored(resource: Resource, version: ObjectVersion): KubeObject {
  const converted = convertedJson(resource, version);
  if (converted !== undefined) return parseStored(converted) as KubeObject;
  const object = parseStored(version.json) as KubeObject;
  return resource.fromStored?.(object) ?? { ...object, apiVersion: apiVersionOf(resource) };
}

/** Returns true if stored JSON has the version of the resource. Objects with unpruned values begin with it. */
export function isStoredIn(resource: Resource, json: string): boolean {
  return json.startsWith(headOf(resource)) || json.startsWith(`{"apiVersion":"${apiVersionOf(resource)}",`);
}

/** Returns the start of the JSON of every object of the resource. */
function headOf(resource: Resource): string {
  const cached = heads.get(resource);
  if (cached !== undefined) return cached;
  const head = `{"kind":"${resource.kind}","apiVersion":"${apiVersionOf(resource)}",`;
  heads.set(resource, head);
  return head;
}

const heads = new WeakMap<Resource, string>();
