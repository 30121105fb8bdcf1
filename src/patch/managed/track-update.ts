import type { Steps } from "../../base/index.ts";
import { isArray, isObject, type JsonObject } from "../../schema/index.ts";
import { TypedError } from "../values/typed-error.ts";
import { capUpdates } from "./cap-updates.ts";
import { checkTyped } from "./check-typed.ts";
import { differingParts } from "./differing-parts.ts";
import { managedFieldsOf, withManagers, withoutManagedFields } from "./managed-object.ts";
import { identityOf, type Manager, type Managers, parseManagers } from "./managers.ts";
import { changeOf, currentManagers, withoutFields, withoutServerFields } from "./ownership.ts";
import type { Write } from "./write.ts";

export interface UpdateWrite extends Write {
  /** The object to store, with the `managedFields` that the client sent. */
  readonly next: JsonObject;
}

/**
 * Returns the object with its managers after a create, an update or a patch that is not an apply. The writing manager
 * becomes the only owner of the fields it sets. Removed fields lose all owners.
 *
 * The `managedFields` of the client replace the stored ones on an update of the main resource, unless they are absent
 * or invalid. An empty list, or a single empty entry, removes all managers. An update does not add managers to an
 * object without any. An object that does not fit its schema loses its managers.
 */
export function* trackUpdate(write: UpdateWrite): Steps<JsonObject> {
  const { live, blank = {} } = write;
  const next = withoutManagedFields(write.next);
  const before = managersBefore(write);
  yield;
  if (live && before.size === 0) return next;
  try {
    const after = yield* managersAfterUpdate(before, {
      ...write,
      live: withoutManagedFields(live ?? blank),
      next,
    });
    yield;
    return withManagers(next, after);
  } catch (error) {
    // Validation decides about the write itself. Only its ownership is unknown.
    if (error instanceof TypedError) return next;
    throw error;
  }
}

/** Returns no managers for a create: `managedFields` of the request are ignored. */
function managersBefore({ live, next, subresource = "", custom = false }: UpdateWrite): Managers {
  if (!live) return new Map();
  const sent = managedFieldsOf(next);
  if (subresource === "" && isReset(sent, custom)) return new Map();
  const requested = subresource === "" ? validManagers(sent) : undefined;
  return requested ?? validManagers(managedFieldsOf(live)) ?? new Map();
}

function isReset(sent: unknown, custom: boolean): boolean {
  if (!isArray(sent) || sent.length > 1) return false;
  const [only] = sent;
  if (sent.length === 0) return !custom;
  return isObject(only) && Object.keys(only).length === 0;
}

/** Returns `undefined` without managers, and if one is invalid. */
function validManagers(entries: unknown): Managers | undefined {
  try {
    const managers = parseManagers(entries);
    return managers.size > 0 ? managers : undefined;
  } catch (error) {
    // Invalid entries of a client are ignored: the stored ones stay.
    if (error instanceof TypedError) return undefined;
    throw error;
  }
}

/** A write to an existing object or a blank one, both without `managedFields`. */
export type LiveWrite = UpdateWrite & { readonly live: JsonObject };

export function* managersAfterUpdate(before: Managers, write: LiveWrite): Steps<Managers> {
  const { next, node } = write;
  checkTyped(next, node, { duplicates: "allowed" });
  yield;
  const differing = differingParts(write, 2);
  yield;
  // The equal parts of both objects have been checked above.
  checkTyped(differing.live, node, { duplicates: "allowed" });
  yield;
  const { set, removed } = yield* changeOf(differing.live, differing.next, write);
  const others = withoutFields(currentManagers(before, write), set.union(removed));
  yield;
  const fields = withoutServerFields(set);
  return capUpdates(fields.isEmpty ? others : withWriter(others, { ...writer(write), fields }));
}

function writer({ manager, apiVersion, subresource = "", time }: Write): Omit<Manager, "fields"> {
  return { name: manager === "" ? "unknown" : manager, operation: "Update", apiVersion, subresource, time };
}

function withWriter(others: Managers, writer: Manager): Managers {
  const identity = identityOf(writer);
  const before = others.get(identity);
  const fields = before ? writer.fields.union(before.fields) : writer.fields;
  return new Map([...others, [identity, { ...writer, fields }]]);
}
