import type { Steps } from "../base/index.ts";
import { isArray, isObject, type JsonObject } from "../schema/index.ts";
import { capUpdates } from "./cap-updates.ts";
import { checkTyped } from "./check-typed.ts";
import { differingParts } from "./differing-parts.ts";
import { managedFieldsOf, withManagers, withoutManagedFields } from "./managed-object.ts";
import { identityOf, type Manager, type Managers, parseManagers } from "./managers.ts";
import { changeOf, currentManagers, without, withoutServerFields } from "./ownership.ts";
import { TypedError } from "./typed-error.ts";
import type { Write } from "./write.ts";

export interface UpdateWrite extends Write {
  /** The object as it is to be stored, with whatever `managedFields` the client sent. */
  readonly next: JsonObject;
}

/**
 * The object with its managers after a create, an update or a patch that is no apply: whoever writes owns what the
 * write sets, alone; what it removes is nobody's.
 *
 * The client's own `managedFields` count on an update of the object itself, unless they are absent or invalid; an
 * empty list, or one empty entry, makes the server forget all managers. An object without managers gets none by an
 * update. Where the object does not fit its schema it is left without managers.
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
    // The write itself is judged by validation; there is only nothing to be said about who owns what.
    if (error instanceof TypedError) return next;
    throw error;
  }
}

/** None where the write creates the object: what was sent with it does not count. */
function managersBefore({ live, next, subresource = "", custom = false }: UpdateWrite): Managers {
  if (!live) return new Map();
  const sent = managedFieldsOf(next);
  if (subresource === "" && isReset(sent, custom)) return new Map();
  const asked = subresource === "" ? validManagers(sent) : undefined;
  return asked ?? validManagers(managedFieldsOf(live)) ?? new Map();
}

function isReset(sent: unknown, custom: boolean): boolean {
  if (!isArray(sent) || sent.length > 1) return false;
  const [only] = sent;
  if (sent.length === 0) return !custom;
  return isObject(only) && Object.keys(only).length === 0;
}

/** Nothing where there are none, or one is invalid. */
function validManagers(entries: unknown): Managers | undefined {
  try {
    const managers = parseManagers(entries);
    return managers.size > 0 ? managers : undefined;
  } catch (error) {
    // A client's invalid entries are as good as none: what is stored stays.
    if (error instanceof TypedError) return undefined;
    throw error;
  }
}

/** A write to an object that is there, or to a blank one; neither has `managedFields` in it. */
export type LiveWrite = UpdateWrite & { readonly live: JsonObject };

export function* managersAfterUpdate(before: Managers, write: LiveWrite): Steps<Managers> {
  const { next, node } = write;
  checkTyped(next, node, { duplicates: "allowed" });
  yield;
  const differing = differingParts(write, 2);
  yield;
  // What is the same in both was checked above.
  checkTyped(differing.live, node, { duplicates: "allowed" });
  yield;
  const { set, removed } = yield* changeOf(differing.live, differing.next, write);
  const others = without(currentManagers(before, write), set.union(removed));
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
