import type { Steps } from "../../base/index.ts";
import type { JsonObject } from "../../schema/index.ts";
import { fieldElement } from "../values/field-element.ts";
import { TypedError } from "../values/typed-error.ts";
import { type Comparison, compareTyped } from "./compare-typed.ts";
import { FieldSet } from "./field-set.ts";
import type { Manager, Managers } from "./managers.ts";
import { reconcileFields } from "./reconcile-fields.ts";
import type { Write } from "./write.ts";

/** The changes of a write, without the fields that its endpoint resets. */
export interface Change {
  /** Fields with a new value, and added fields. */
  readonly set: FieldSet;
  readonly removed: FieldSet;
}

export function* changeOf(live: JsonObject, next: JsonObject, { node, reset }: Write): Steps<Change> {
  const { added, modified, removed }: Comparison = compareTyped(live, next, node);
  yield;
  const outside = (fields: FieldSet): FieldSet => (reset ? fields.outside(reset) : fields);
  return { set: outside(modified.union(added)), removed: outside(removed) };
}

/**
 * Returns the managers with their fields adapted to the current schema. Drops managers of API versions that no longer
 * exist.
 */
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

/** Removes fields from managers. Drops managers that own nothing afterwards. */
export function withoutFields(managers: Managers, fields: FieldSet): Map<string, Manager> {
  const remaining = new Map<string, Manager>();
  for (const [identity, manager] of managers) {
    const ownedFields = manager.fields.difference(fields);
    if (!ownedFields.isEmpty) remaining.set(identity, { ...manager, fields: ownedFields });
  }
  return remaining;
}

/**
 * Returns the fields without those that no manager owns: the identity of an object and the metadata that the server
 * sets.
 */
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
