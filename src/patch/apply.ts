import type { StatusCause } from "../api/index.ts";
import type { Steps } from "../base/index.ts";
import { equal, fieldOf, type JsonObject, type SchemaNode } from "../schema/index.ts";
import { type CheckOptions, checkTyped } from "./check-typed.ts";
import { conflictCauses, conflictMessage, conflictsWith } from "./conflict.ts";
import { FieldSet } from "./field-set.ts";
import { fieldsOf } from "./fields-of.ts";
import { stillLastApplied, withLastApplied } from "./last-applied.ts";
import { managedFieldsOf, withManagers, withoutManagedFields } from "./managed-object.ts";
import { identityOf, type Manager, type Managers, parseManagers } from "./managers.ts";
import { mergeTyped } from "./merge-typed.ts";
import { type Change, changeOf, currentManagers, without, withoutServerFields } from "./ownership.ts";
import { pruneUnowned } from "./prune-unowned.ts";
import { objectIn } from "./shape.ts";
import { managersAfterUpdate } from "./track-update.ts";
import { TypedError } from "./typed-error.ts";
import type { Write } from "./write.ts";

export interface ApplyWrite extends Write {
  /** What is applied. It has no `metadata.managedFields`: the server refuses that before. */
  readonly config: JsonObject;
  /** Takes fields from other managers where there would be a conflict. @default false */
  readonly force?: boolean | undefined;
}

export type ApplyResult =
  | { readonly type: "applied"; readonly object: JsonObject }
  | {
      /** Other managers own fields that would change: a 409 of reason `Conflict`. */
      readonly type: "conflict";
      readonly message: string;
      /** Manager by manager. The server has them in no particular order. */
      readonly causes: readonly StatusCause[];
    };

/**
 * Server-side apply: the live object with the configuration laid over it, without what this manager applied before
 * and does not any more, and with its managers as they are then. Manager `kubectl` also takes over, and keeps up to date,
 * what it applied on the client's side.
 *
 * Defaults, and what the endpoint resets, are the caller's to put in; so is `keepTimes` in the end. Throws a
 * `TypedError` where the configuration or the live object does not fit the schema.
 */
export function* apply(write: ApplyWrite): Steps<ApplyResult> {
  const live = withoutManagedFields(write.live ?? write.blank ?? {});
  const before = currentManagers(yield* managersBefore(write), write);
  yield;
  yield* requireTyped(write.config, "patch", write);
  yield* requireTyped(live, "live", write);

  const parties = partiesOf(before, write);
  yield;
  const next = yield* appliedTo(live, parties, write);
  yield;
  const change = yield* described("failed to compare objects", changeOf(live, next, write));
  yield;
  const conflicts = write.force ? [] : conflictsWith(parties.others, disputable(change.set, live, write));
  yield;
  if (conflicts.length > 0) {
    const message = conflictMessage(conflicts);
    yield;
    return { type: "conflict", message, causes: conflictCauses(conflicts) };
  }
  // Setting fields to what they are makes nothing newer: only who owns them changes.
  const time = equal(live, next) ? undefined : write.time;
  yield;
  const managers = settle(parties, { ...change, time });
  yield;
  const object = withManagers(next, managers);
  yield;
  return {
    type: "applied",
    object: write.manager === kubectl ? withLastApplied(object, write.config) : object,
  };
}

/** The manager of `kubectl apply --server-side`, which goes on where `kubectl apply` left off. */
const kubectl = "kubectl";

function disputable(fields: FieldSet, live: JsonObject, write: ApplyWrite): FieldSet {
  return write.manager === kubectl ? fields.difference(stillLastApplied(live, write)) : fields;
}

/** What an object has that never had managers belongs to a manager named for that. */
function* managersBefore({ config, ...write }: ApplyWrite): Steps<Managers> {
  const { live: stored, blank = {} } = write;
  if (!stored) return new Map();
  const managers = yield* described("failed to decode managed fields", parsedManagers(stored));
  if (managers.size > 0) return managers;
  const next = withoutManagedFields(stored);
  const first = { ...write, live: blank, next, manager: "before-first-apply" };
  return yield* described(
    "failed to create manager for existing fields",
    managersAfterUpdate(new Map(), first),
  );
}

function* parsedManagers(stored: JsonObject): Steps<Managers> {
  const managers = parseManagers(managedFieldsOf(stored));
  yield;
  return managers;
}

function* requireTyped(
  object: JsonObject,
  which: "patch" | "live",
  { node, config }: ApplyWrite,
): Steps<void> {
  const what = `failed to create typed ${which} object (${describe(which === "patch" ? config : object)})`;
  yield* described(what, checked(object, node, which === "patch" ? "refused" : "allowed"));
}

function* checked(object: JsonObject, node: SchemaNode, duplicates: CheckOptions["duplicates"]): Steps<void> {
  checkTyped(object, node, { duplicates });
  yield;
}

/** Puts before the text of a `TypedError` what was being done. */
function* described<T>(what: string, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (cause) {
    throw cause instanceof TypedError ? new TypedError(`${what}: ${cause.message}`, { cause }) : cause;
  }
}

/** `default/web; apps/v1, Kind=Deployment` */
function describe(object: JsonObject): string {
  const metadata = objectIn(fieldOf(object, "metadata"));
  const [namespace, name] = [textIn(metadata, "namespace"), textIn(metadata, "name")];
  const apiVersion = textIn(object, "apiVersion");
  const groupVersion = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
  return `${namespace}/${name}; ${groupVersion}, Kind=${textIn(object, "kind")}`;
}

function textIn(object: JsonObject, key: string): string {
  const value = fieldOf(object, key);
  return typeof value === "string" ? value : "";
}

interface Parties {
  /** Who applies, owning what the configuration sets; with the time of its last apply that changed something. */
  readonly applier: Manager;
  /** What the applier owned before. */
  readonly last: FieldSet;
  readonly others: Managers;
}

function partiesOf(before: Managers, write: ApplyWrite): Parties {
  const { manager, apiVersion, subresource = "", config, node, reset = FieldSet.empty } = write;
  const name = {
    name: manager === "" ? "unknown" : manager,
    operation: "Apply",
    apiVersion,
    subresource,
  } as const;
  const identity = identityOf(name);
  const others = new Map(before);
  others.delete(identity);
  const known = before.get(identity);
  const applier = { ...name, time: known?.time, fields: fieldsOf(config, node).outside(reset) };
  return { applier, last: known?.fields ?? FieldSet.empty, others };
}

/** The object once the configuration is merged and what nobody owns any more is pruned. */
function* appliedTo(
  live: JsonObject,
  { applier, last, others }: Parties,
  write: ApplyWrite,
): Steps<JsonObject> {
  const { node, config } = write;
  const owned = FieldSet.unionOf([applier.fields, ...Array.from(others.values(), ({ fields }) => fields)]);
  yield;
  const merged = mergeTyped(live, config, node);
  yield;
  return objectIn(yield* pruneUnowned(merged, { node, last, owned }));
}

interface Outcome extends Change {
  /** When it changed the object. Absent where it did not. */
  readonly time?: string | undefined;
}

/** The managers after the apply: the applier owns its configuration, others lose what it set or removed. */
function settle({ applier, others }: Parties, { set, removed, time = applier.time }: Outcome): Managers {
  const managers = without(others, set.union(removed));
  const fields = withoutServerFields(applier.fields);
  if (!fields.isEmpty) managers.set(identityOf(applier), { ...applier, fields, time });
  return managers;
}
