import type { StatusCause } from "../../api/index.ts";
import type { Steps } from "../../base/index.ts";
import { equal, fieldOf, type JsonObject, type SchemaNode } from "../../schema/index.ts";
import { objectOrEmpty } from "../values/shape.ts";
import { TypedError } from "../values/typed-error.ts";
import { type CheckOptions, checkTyped } from "./check-typed.ts";
import { conflictCauses, conflictMessage, conflictsWith } from "./conflict.ts";
import { FieldSet } from "./field-set.ts";
import { fieldsOf } from "./fields-of.ts";
import { unchangedSinceLastApplied, withLastApplied } from "./last-applied.ts";
import { managedFieldsOf, withManagers, withoutManagedFields } from "./managed-object.ts";
import { identityOf, type Manager, type Managers, parseManagers } from "./managers.ts";
import { mergeTyped } from "./merge-typed.ts";
import { type Change, changeOf, currentManagers, withoutFields, withoutServerFields } from "./ownership.ts";
import { pruneUnowned } from "./prune-unowned.ts";
import { managersAfterUpdate } from "./track-update.ts";
import type { Write } from "./write.ts";

export interface ApplyWrite extends Write {
  /** The applied configuration, without `metadata.managedFields`, which the server refuses earlier. */
  readonly config: JsonObject;
  /** True to take fields in conflict from their managers. @default false */
  readonly force?: boolean | undefined;
}

export type ApplyResult =
  | { readonly type: "applied"; readonly object: JsonObject }
  | {
      /** Other managers own fields that would change: a 409 with reason `Conflict`. */
      readonly type: "conflict";
      readonly message: string;
      /** Grouped by manager. kube-apiserver does not define an order of the managers. */
      readonly causes: readonly StatusCause[];
    };

/**
 * Performs a server-side apply: merges the configuration into the live object, removes fields that this manager no
 * longer applies, and updates the managed fields. Manager `kubectl` also takes over fields of client-side apply and
 * updates its last-applied annotation.
 *
 * The caller sets defaults, resets fields as the endpoint demands, and calls `ignoreManagedFieldsTimestamps` last.
 *
 * @throws {TypedError} if the configuration or the live object does not fit the schema
 */
export function* apply(write: ApplyWrite): Steps<ApplyResult> {
  const live = withoutManagedFields(write.live ?? write.blank ?? {});
  const before = currentManagers(yield* managersBefore(write), write);
  yield;
  yield* requireTyped(write.config, "patch", write);
  yield* requireTyped(live, "live", write);

  const applyManagers = applyManagersOf(before, write);
  yield;
  const next = yield* mergeAndPrune(live, applyManagers, write);
  yield;
  const change = yield* withContext("failed to compare objects", changeOf(live, next, write));
  yield;
  const conflicts = write.force
    ? []
    : conflictsWith(applyManagers.others, conflictCandidates(change.set, live, write));
  yield;
  if (conflicts.length > 0) {
    const message = conflictMessage(conflicts);
    yield;
    return { type: "conflict", message, causes: conflictCauses(conflicts) };
  }
  // Setting fields to their current values changes their owners only, so the time stays.
  const time = equal(live, next) ? undefined : write.time;
  yield;
  const managers = managersAfterApply(applyManagers, { ...change, time });
  yield;
  const object = withManagers(next, managers);
  yield;
  return {
    type: "applied",
    object: write.manager === kubectl ? withLastApplied(object, write.config) : object,
  };
}

/** The manager of `kubectl apply --server-side`, which continues the ownership of `kubectl apply`. */
const kubectl = "kubectl";

function conflictCandidates(fields: FieldSet, live: JsonObject, write: ApplyWrite): FieldSet {
  return write.manager === kubectl ? fields.difference(unchangedSinceLastApplied(live, write)) : fields;
}

/** Returns the stored managers. Fields of an object without managers belong to `before-first-apply`. */
function* managersBefore({ config, ...write }: ApplyWrite): Steps<Managers> {
  const { live: stored, blank = {} } = write;
  if (!stored) return new Map();
  const managers = yield* withContext("failed to decode managed fields", parsedManagers(stored));
  if (managers.size > 0) return managers;
  const next = withoutManagedFields(stored);
  const first = { ...write, live: blank, next, manager: "before-first-apply" };
  return yield* withContext(
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
  yield* withContext(what, checked(object, node, which === "patch" ? "refused" : "allowed"));
}

function* checked(object: JsonObject, node: SchemaNode, duplicates: CheckOptions["duplicates"]): Steps<void> {
  checkTyped(object, node, { duplicates });
  yield;
}

/** Runs `steps` and prefixes the message of a `TypedError` with `what`. */
function* withContext<T>(what: string, steps: Steps<T>): Steps<T> {
  try {
    return yield* steps;
  } catch (cause) {
    throw cause instanceof TypedError ? new TypedError(`${what}: ${cause.message}`, { cause }) : cause;
  }
}

/** Describes an object in messages: `default/web; apps/v1, Kind=Deployment`. */
function describe(object: JsonObject): string {
  const metadata = objectOrEmpty(fieldOf(object, "metadata"));
  const [namespace, name] = [textIn(metadata, "namespace"), textIn(metadata, "name")];
  const apiVersion = textIn(object, "apiVersion");
  const groupVersion = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
  return `${namespace}/${name}; ${groupVersion}, Kind=${textIn(object, "kind")}`;
}

function textIn(object: JsonObject, key: string): string {
  const value = fieldOf(object, key);
  return typeof value === "string" ? value : "";
}

interface ApplyManagers {
  /**
   * The applying manager with the fields of the configuration, and the time of its last apply that changed the object.
   */
  readonly applier: Manager;
  /** The fields that the applier owned before. */
  readonly last: FieldSet;
  readonly others: Managers;
}

function applyManagersOf(before: Managers, write: ApplyWrite): ApplyManagers {
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
  const previous = before.get(identity);
  const applier = { ...name, time: previous?.time, fields: fieldsOf(config, node).outside(reset) };
  return { applier, last: previous?.fields ?? FieldSet.empty, others };
}

/** Returns the object with the configuration merged and unowned fields pruned. */
function* mergeAndPrune(
  live: JsonObject,
  { applier, last, others }: ApplyManagers,
  write: ApplyWrite,
): Steps<JsonObject> {
  const { node, config } = write;
  const owned = FieldSet.unionOf([applier.fields, ...Array.from(others.values(), ({ fields }) => fields)]);
  yield;
  const merged = mergeTyped(live, config, node);
  yield;
  return objectOrEmpty(yield* pruneUnowned(merged, { node, last, owned }));
}

interface AppliedChange extends Change {
  /** The time of the change. Absent if the object did not change. */
  readonly time?: string | undefined;
}

/**
 * Returns the managers after the apply: the applier owns its configuration, and others lose the fields it set or
 * removed.
 */
function managersAfterApply(
  { applier, others }: ApplyManagers,
  { set, removed, time = applier.time }: AppliedChange,
): Managers {
  const managers = withoutFields(others, set.union(removed));
  const fields = withoutServerFields(applier.fields);
  if (!fields.isEmpty) managers.set(identityOf(applier), { ...applier, fields, time });
  return managers;
}
