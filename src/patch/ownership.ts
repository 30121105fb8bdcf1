import type { Steps } from "../base/index.ts";
import type { JsonObject } from "../schema/index.ts";
import { type Comparison, compareTyped } from "./compare-typed.ts";
import { fieldElement } from "./field-element.ts";
import { FieldSet } from "./field-set.ts";
import type { Manager, Managers } from "./managers.ts";
import { reconcileFields } from "./reconcile-fields.ts";
import { TypedError } from "./typed-error.ts";
import type { Write } from "./write.ts";

/** What a write changes of what its endpoint lets it change. */
export interface Change {
  /** Set to a new value, or set where there was none. */
  readonly set: FieldSet;
  readonly removed: FieldSet;
}

export function* changeOf(live: JsonObject, next: JsonObject, { node, reset }: Write): Steps<Change> {
  const { added, modified, removed }: Comparison = compareTyped(live, next, node);
  yield;
  const outside = (fields: FieldSet): FieldSet => (reset ? fields.outside(reset) : fields);
  return { set: outside(modified.union(added)), removed: outside(removed) };
}

/** The managers as the schema of today has their fields, without those whose version there is no more. */
export function currentManagers(managers: Managers, write: Write): Managers {
  const current = new Map<string, Manager>();
  for (const [identity, manager] of managers) {
    if (!isServed(manager.apiVersion, write)) continue;
    current.set(identity, { ...manager, fields: reconcileFields(manager.fields, write.node) });
  }
  return current;
}

function isServed(apiVersion: string, { served, custom }: Write): boolean {
  if (!served || served(apiVersion)) return true;
  if (!custom) return false;
  throw new TypedError(`request to convert CR to an invalid group/version: ${apiVersion}`);
}

/** The managers once they own nothing of these fields any more. Who owns nothing at all is gone. */
export function without(managers: Managers, fields: FieldSet): Map<string, Manager> {
  const left = new Map<string, Manager>();
  for (const [identity, manager] of managers) {
    const kept = manager.fields.difference(fields);
    if (!kept.isEmpty) left.set(identity, { ...manager, fields: kept });
  }
  return left;
}

/** The fields without those nobody ever owns: what names an object, and what the server keeps about it. */
export function withoutServerFields(fields: FieldSet): FieldSet {
  return fields.difference(serverFields);
}

const serverFields: FieldSet = FieldSet.of(
  [fieldElement("apiVersion")],
  [fieldElement("kind")],
  [fieldElement("metadata")],
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((name) => [fieldElement("metadata"), fieldElement(name)]),
);
