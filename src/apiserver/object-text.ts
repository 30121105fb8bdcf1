import type { KubeObject } from "../api/index.ts";
import { parseStored } from "./document.ts";
import type { Resource } from "./resource.ts";
import type { Stored } from "./storage.ts";
import { writeJson } from "./write-json.ts";

/** An object as text without resourceVersion, and its revision. A dry run's creation has none. */
export interface Version {
  readonly json: string;
  readonly revision: number | undefined;
}

/**
 * The text of an object as a resource serves it, resourceVersion and all. What was stored by the same version of the
 * kind is not parsed: the resourceVersion is put after the uid.
 */
export function objectText(resource: Resource, { json, revision }: Version): string {
  const own = json.startsWith(headOf(resource)) ? json : writeJson(fromStored(resource, json));
  if (revision === undefined) return own;
  const uid = own.indexOf(uidField);
  const end = own.indexOf('"', uid + uidField.length) + 1;
  return `${own.slice(0, end)},"resourceVersion":"${revision}"${own.slice(end)}`;
}

/** No name or namespace before it can look like it: quotes in them are escaped. */
const uidField = '"uid":"';

/** As it stands in a list: only custom kinds repeat apiVersion and kind there. */
export function itemText(resource: Resource, version: Version): string {
  const text = objectText(resource, version);
  return resource.custom ? text : `{${text.slice(headOf(resource).length)}`;
}

/** The object that is stored, as the resource serves it, without resourceVersion. */
export function storedObject(resource: Resource, { json }: Pick<Stored, "json">): KubeObject {
  // What is stored was an object when it was written.
  return json.startsWith(headOf(resource)) ? (parseStored(json) as KubeObject) : fromStored(resource, json);
}

/** A version of an object, with its resourceVersion if it has one. */
export function versionObject(resource: Resource, { json, revision }: Version): KubeObject {
  const object = storedObject(resource, { json });
  // A dry run's creation has none.
  if (revision !== undefined) object.metadata.resourceVersion = String(revision);
  return object;
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
