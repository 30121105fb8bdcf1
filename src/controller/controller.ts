import { type Kind, type KubeObject, kindName, type ObjectKey } from "../api/index.ts";
import type { Logger } from "../base/index.ts";
import { checkNamespaces, type View } from "../cache/index.ts";
import { type Client, checkFieldManager } from "../client/index.ts";
import type { Limiter } from "../queue/index.ts";
import type { EventRecorder } from "../recorder/index.ts";
import type { Cache } from "./cache.ts";
import { checkFinalizers } from "./finalizer-names.ts";
import type { Predicate } from "./predicates.ts";
import type { Reason } from "./reason.ts";
import type { Trigger } from "./trigger.ts";

/** `cleanup` and `finalizer` come together: see `CleanupOptions`. */
export type ControllerOptions<T extends KubeObject> = ReconcileOptions<T> &
  (CleanupOptions<T> | NoCleanupOptions);

export interface ReconcileOptions<T extends KubeObject> {
  /**
   * Names the controller in logs, metrics and events; unique within a manager. Required for kinds that `defineResource`
   * did not make in this program, because other programs have controllers for them too.
   * @default the kind in lower case
   */
  readonly name?: string | undefined;
  readonly for: Kind<T>;
  /**
   * Owns the fields that this controller writes: 1 to 128 printable characters, unique among all writers in the cluster.
   * Two controllers that apply one object as one field manager delete each other's fields.
   * @default `<name>.<group>` for kinds that `defineResource` made in this program, else `name`
   */
  readonly fieldManager?: string | undefined;
  /**
   * Field managers that this controller had before. Every object that it applies takes over their fields, as `takeOver` of
   * `client.apply` does. Versions up to 0.1.0 wrote as `trimtab`. A take-over patches the object itself, so a controller that uses
   * `applyStatus` needs the permission to patch the object, and not only its status, until the objects are taken over. @default none
   */
  readonly formerFieldManagers?: readonly string[] | undefined;
  /**
   * Which of the primary kind's events count.
   * @default `specOrMetadataChanged` for kinds made by `defineResource`; every change for all other kinds, whose status
   * other programs write
   */
  readonly when?: Predicate<T> | undefined;
  /** Which part of the primary kind to watch. @default all */
  readonly view?: View<T> | undefined;
  readonly on?: readonly Trigger[] | undefined;
  /** Brings the world to what the object asks for. May run at any time, for any reason, again and again. */
  readonly reconcile: (key: ObjectKey, context: Context) => Promise<Requeue | undefined> | Promise<void>;
  /** Told of what a reconcile threw, before it is tried again: to set a condition, say. What this throws is logged. */
  readonly onError?: ((error: Error, key: ObjectKey, context: Context) => Promise<void> | void) | undefined;
  /** How many keys are reconciled at a time. @default 1 */
  readonly concurrency?: number | undefined;
  /** A reconcile that takes longer has its signal aborted, and counts as failed when it ends. @default none */
  readonly timeoutMs?: number | undefined;
  /** How long a key that failed waits. @default from 5 ms to 1000 s, each key for itself */
  readonly limiter?: Limiter | undefined;
  /** Waits until events for a key have been quiet so long, at most `maxMs`. @default not at all */
  readonly debounce?: { readonly quietMs: number; readonly maxMs: number } | undefined;
  /**
   * Runs in every replica, also on standbys, where its client may write. For work that is about the replica itself, or
   * that any number of replicas may do at once. @default false: only in the leader, and no write of its client leaves
   * after leadership ended
   */
  readonly everywhere?: boolean | undefined;
}

/** What a controller needs that undoes its work before an object is deleted. */
export interface CleanupOptions<T extends KubeObject> {
  /**
   * Undoes what was done for an object before the server deletes it. The finalizer is on the object before `reconcile` first sees
   * it, and is removed when this has succeeded. `reconcile` does not see a terminating object; it runs again when the object is gone.
   */
  readonly cleanup: (object: T, context: Context) => Promise<Requeue | undefined> | Promise<void>;
  /**
   * Keeps objects until `cleanup` has succeeded: a domain of yours, `/` and a name, like `example.dev/websites`. It must be unique in
   * the cluster. To change it, list the old one in `formerFinalizers`, or objects that have the old one are never deleted.
   */
  readonly finalizer: string;
  /**
   * Finalizers that this controller used before. A live object that has one gets the new finalizer in its place; a terminating one
   * runs `cleanup`, and then loses it. Versions up to 0.1.0 used `trimtab.dev/<controller name>`. @default none
   */
  readonly formerFinalizers?: readonly string[] | undefined;
}

/** What a controller says that has nothing to undo. */
export interface NoCleanupOptions {
  readonly cleanup?: undefined;
  readonly finalizer?: undefined;
  readonly formerFinalizers?: undefined;
}

export interface Requeue {
  /**
   * Milliseconds until the next reconcile of the key; resets its backoff. 0 or less means soon: after the rate limiter's
   * delay, without resetting the backoff. A value that is not a finite number fails the reconcile.
   */
  readonly requeueAfterMs: number;
}

/** What a reconcile is given. */
export interface Context {
  /**
   * Reads declared kinds from the cache, own writes included; everything else goes to the server. Writes as the
   * controller's field manager. Applies take fields from other managers unless `force` is false.
   */
  readonly client: Client;
  readonly cache: Cache;
  readonly events: EventRecorder;
  /** Names the controller, the key and this one reconcile. */
  readonly log: Logger;
  /**
   * Belongs to this reconcile. Aborts when `timeoutMs` is over, when the controller is stopped and its reconciles may not
   * finish, and when the leadership is lost; not when the reconcile ends. Requests of `client` abort with it.
   */
  readonly signal: AbortSignal;
  /**
   * Why this reconcile runs, oldest first: at most 16, of more the newest. Events of one type about one object are one
   * reason. `changed` is known to a caller that reads the reasons before the reconcile is over.
   */
  readonly reasons: readonly Reason[];
  /** How many reasons there were, including those that were merged or dropped. */
  readonly reasonCount: number;
  /** 1, and one more with each try since the last that succeeded. */
  readonly attempt: number;
}

/** A controller as it was described. A manager runs it; any number of managers may. */
export interface Controller {
  readonly name: string;
  /** Owns the fields that the controller writes. */
  readonly fieldManager: string;
  readonly options: ControllerOptions<KubeObject>;
}

/** Describes a controller: starts nothing. */
export function controller<T extends KubeObject>(options: ControllerOptions<T>): Controller {
  const { concurrency = 1, timeoutMs, debounce } = options;
  const name = nameOf(options);
  const { fieldManager = defaultFieldManager(name, options.for), formerFieldManagers = [] } = options;
  checkFieldManager(`the fieldManager of controller ${JSON.stringify(name)}`, fieldManager);
  for (const former of formerFieldManagers) {
    checkFieldManager(`each of formerFieldManagers of controller ${JSON.stringify(name)}`, former);
  }
  atLeast("concurrency", concurrency, 1);
  if (!Number.isInteger(concurrency))
    throw new RangeError(`expected concurrency to be whole, got ${concurrency}`);
  if (timeoutMs !== undefined) atLeast("timeoutMs", timeoutMs, 1);
  if (debounce) {
    atLeast("debounce.quietMs", debounce.quietMs, 0);
    atLeast("debounce.maxMs", debounce.maxMs, debounce.quietMs);
  }
  checkNamespaces(options.view?.namespaces, "view.namespaces");
  for (const trigger of options.on ?? []) {
    if ("view" in trigger) checkNamespaces(trigger.view?.namespaces, "view.namespaces");
  }
  if (options.cleanup) checkFinalizers(name, options);
  if (options.for.metadataOnly && options.cleanup) {
    throw new TypeError(
      `expected whole objects to clean up after, got only the metadata of ${options.for.kind}`,
    );
  }
  return { name, fieldManager, options: options as unknown as ControllerOptions<KubeObject> }; // given objects of its kind alone
}

function nameOf({ name, for: kind }: { readonly name?: string | undefined; readonly for: Kind }): string {
  if (name === "") throw new TypeError("expected a controller's name, got an empty one");
  if (name !== undefined) return name;
  if (kind.definedHere) return kind.kind.toLowerCase();
  throw new TypeError(
    `expected a name for the controller of ${kindName(kind)}, got none: other programs write this kind too, and the name ` +
      "becomes the field manager, the event source and the metrics label that tell them apart; " +
      `set \`name\`, like controller({ name: "example-${kind.kind.toLowerCase()}", for: ${kind.kind}, … })`,
  );
}

function defaultFieldManager(name: string, { definedHere, group }: Kind): string {
  return definedHere ? `${name}.${group}` : name;
}

function atLeast(what: string, value: number, least: number): void {
  if (!(value >= least)) throw new RangeError(`expected ${what} of at least ${least}, got ${value}`);
}
