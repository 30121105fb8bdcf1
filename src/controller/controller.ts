import { type Kind, type KubeObject, kindName, labelKeyProblem, type ObjectKey } from "../api/index.ts";
import type { Clock, Logger } from "../base/index.ts";
import { checkNamespaces, type View } from "../cache/index.ts";
import { type Client, checkFieldManager } from "../client/index.ts";
import type { Limiter } from "../queue/index.ts";
import type { EventRecorder } from "../recorder/index.ts";
import type { Cache } from "./cache.ts";
import type { ApplyOwned } from "./child.ts";
import type { Index } from "./object-index.ts";
import type { Predicate } from "./predicates.ts";
import type { Reason } from "./reason.ts";
import type { Trigger } from "./trigger.ts";
import type { UntilOf } from "./until.ts";

/** `cleanup` and `finalizer` are set together: see `CleanupOptions`. */
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
   * Owns the fields that this controller writes: 1 to 128 printable characters, unique among all writers in the
   * cluster. Two controllers that apply one object as one field manager delete each other's fields.
   * @default `<name>.<group>` for kinds that `defineResource` made in this program, else `name`
   */
  readonly fieldManager?: string | undefined;
  /**
   * Previous field managers of this controller. Every apply takes over their fields, like `takeOver` of `client.apply`.
   * Versions up to 0.1.0 wrote as `trimtab`. A take-over patches the object itself, so a controller that uses
   * `applyStatus` needs permission to patch the object, and not only its status, until all objects are taken over.
   * @default none
   */
  readonly formerFieldManagers?: readonly string[] | undefined;
  /**
   * Selects events of the primary kind.
   * @default `specOrMetadataChanged` for kinds made by `defineResource`; every change for all other kinds, because
   * other programs write their status
   */
  readonly when?: Predicate<T> | undefined;
  /** The part of the primary kind to watch. @default all */
  readonly view?: View<T> | undefined;
  readonly on?: readonly Trigger[] | undefined;
  /**
   * Indexes that the controller reads with `cache.by`, of kinds in `for` and `on`. Other parts of the manager may read
   * them too. @default none
   */
  readonly indexes?: readonly Index<KubeObject>[] | undefined;
  /**
   * Brings the cluster to the state that the object specifies. Must be idempotent: it may run at any time, for any
   * reason.
   */
  readonly reconcile: (key: ObjectKey, context: Context) => Promise<Requeue | undefined> | Promise<void>;
  /**
   * Called with the error of a reconcile before the retry, for example to set a condition. Errors of `onError` are
   * logged.
   */
  readonly onError?: ((error: Error, key: ObjectKey, context: Context) => Promise<void> | void) | undefined;
  /**
   * Skips an apply that would change nothing: `client.apply` and `client.applyStatus` return the cached object instead
   * of sending a request, if the controller last applied the identical fields to that object and the cache still has
   * the values of the response. Reconciles only, and at most ten minutes after that response. Applies with `takeOver`
   * or with other options than `owner`, `force` and `fieldManager` are always sent.
   * @default true; false with `everywhere`, and with `formerFieldManagers`, whose fields every apply takes over
   */
  readonly skipUnchangedApplies?: boolean | undefined;
  /** Maximum number of concurrent reconciles. @default 1 */
  readonly concurrency?: number | undefined;
  /**
   * Aborts the signal of a reconcile that takes longer. The reconcile counts as failed when it ends. @default no
   * timeout
   */
  readonly timeoutMs?: number | undefined;
  /** Computes the delay of retries. @default per-key backoff from 5 ms to 1000 s */
  readonly limiter?: Limiter | undefined;
  /** Delays a key until it had no event for `quietMs`, at most for `maxMs`. @default no delay */
  readonly debounce?: { readonly quietMs: number; readonly maxMs: number } | undefined;
  /**
   * Runs the controller in every replica, including standbys, where its client may write. For work that concerns the
   * replica itself, or that all replicas may do at once. @default false: runs only in the leader, and its client does
   * not write after leadership is lost
   */
  readonly everywhere?: boolean | undefined;
}

/** The options of a controller that undoes its work before an object is deleted. */
export interface CleanupOptions<T extends KubeObject> {
  /**
   * Undoes the controller's work for an object before the server deletes it. The finalizer is added before `reconcile`
   * first runs, and removed after `cleanup` has succeeded. `reconcile` does not run for a terminating object; it runs
   * after the object is deleted.
   */
  readonly cleanup: (object: T, context: Context) => Promise<Requeue | undefined> | Promise<void>;
  /**
   * Keeps objects until `cleanup` has succeeded: your domain, `/` and a name, like `example.dev/websites`. It must be
   * unique in the cluster. To change it, list the old one in `formerFinalizers`; otherwise objects with the old
   * finalizer are never deleted.
   */
  readonly finalizer: string;
  /**
   * Previous finalizers of this controller. In a live object they are replaced by the new finalizer. For a terminating
   * object, `cleanup` runs, and then they are removed. Versions up to 0.1.0 used `trimtab.dev/<controller name>`.
   * @default none
   */
  readonly formerFinalizers?: readonly string[] | undefined;
}

/** The options of a controller without cleanup. */
export interface NoCleanupOptions {
  readonly cleanup?: undefined;
  readonly finalizer?: undefined;
  readonly formerFinalizers?: undefined;
}

export interface Requeue {
  /**
   * Milliseconds until the next reconcile of the key; resets its backoff. 0 or less requeues with the rate limiter's
   * delay, and does not reset the backoff. A value that is not a finite number fails the reconcile.
   */
  readonly requeueAfterMs: number;
}

/** The dependencies and the reasons of one reconcile. */
export interface Context {
  /**
   * Reads declared kinds from the cache, own writes included; everything else goes to the server. Writes as the
   * controller's field manager. Applies take fields from other managers unless `force` is false.
   */
  readonly client: Client;
  readonly cache: Cache;
  readonly events: EventRecorder;
  /**
   * Applies a set of objects that `owner` owns, in its order, then deletes what earlier sets of this controller and
   * owner had and this set does not: kinds in the reverse order of `on`, the newest objects first. Deletes nothing if
   * an apply failed. An empty set deletes everything.
   *
   * Objects of earlier sets are found in the cache by the uid of their owner and by the label `trimtab.dev/applied-by`,
   * so the kinds of all sets must be declared with `owns`. A child without a namespace is in the namespace of its
   * owner. It needs the permissions to patch and delete these kinds. With `dryRun`, nothing is written, and `pruned`
   * lists what would be deleted.
   *
   * ```ts
   * await context.applyOwned(tenant, [
   *   child(Namespace, { metadata: { name } }),
   *   child(ResourceQuota, { metadata: { name: "quota", namespace: name }, spec: { hard } }),
   * ]);
   * ```
   */
  readonly applyOwned: ApplyOwned;
  /**
   * Returns what a reconcile returns to wait for an object. The key is queued again when `predicate` holds for an event
   * of the object, at once if it holds already, and after `timeoutMs`. `reasons` then have the event `awaited` or
   * `timeout`. A deleted object is `undefined` for the predicate.
   *
   * The kind must be in `for`, `owns` or `watches`: it is not polled. Reconciles for other reasons in the meantime do
   * not extend the timeout if they wait for the same object again; any other result ends the wait.
   *
   * ```ts
   * if (reasons.some(({ event }) => event === "timeout")) throw new TerminalError("the Job took too long");
   * if (!isFinished(job)) return until(Job, job.metadata, (job) => !job || isFinished(job), { timeoutMs: 600_000 });
   * ```
   */
  readonly until: UntilOf;
  /** Has the fields `controller`, `key` and `reconcileId`. */
  readonly log: Logger;
  /** The clock of the manager, which a test may control. */
  readonly clock: Clock;
  /** Returns the wall time of `clock` in milliseconds since the epoch, for `new Date(context.now())`. */
  readonly now: () => number;
  /**
   * The signal of this reconcile. Aborts when `timeoutMs` has passed, when the controller stops and its drain time is
   * over, and when leadership is lost; does not abort when the reconcile ends. Requests of `client` abort with it.
   */
  readonly signal: AbortSignal;
  /**
   * The reasons why this reconcile runs, oldest first. At most the newest 16 are kept. Events of one type about one
   * object are one reason. `changed` is empty if the reasons are first read after the reconcile has ended.
   */
  readonly reasons: readonly Reason[];
  /** Number of reasons, including merged and dropped ones. */
  readonly reasonCount: number;
  /** Attempt number: 1 for the first try, reset after a success. */
  readonly attempt: number;
}

/** The definition of a controller. Any number of managers may run it. */
export interface Controller {
  readonly name: string;
  /** Owns the fields that the controller writes. */
  readonly fieldManager: string;
  readonly options: ControllerOptions<KubeObject>;
}

/** Defines a controller without starting it. Throws if an option is invalid. */
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
    throw new RangeError(`expected concurrency to be an integer, got ${concurrency}`);
  if (timeoutMs !== undefined) atLeast("timeoutMs", timeoutMs, 1);
  if (debounce) {
    atLeast("debounce.quietMs", debounce.quietMs, 0);
    atLeast("debounce.maxMs", debounce.maxMs, debounce.quietMs);
  }
  checkNamespaces(options.view?.namespaces, "view.namespaces");
  for (const trigger of options.on ?? []) {
    if ("view" in trigger) checkNamespaces(trigger.view?.namespaces, "view.namespaces");
  }
  checkIndexes(name, options);
  if (options.cleanup) checkFinalizers(name, options);
  if (options.for.metadataOnly && options.cleanup) {
    throw new TypeError(
      `expected a kind with whole objects for cleanup, got only the metadata of ${options.for.kind}`,
    );
  }
  return { name, fieldManager, options: options as unknown as ControllerOptions<KubeObject> }; // it is only called with objects of its kind
}

function nameOf({ name, for: kind }: { readonly name?: string | undefined; readonly for: Kind }): string {
  if (name === "") throw new TypeError("expected a controller name, got an empty string");
  if (name !== undefined) return name;
  if (kind.definedHere) return kind.kind.toLowerCase();
  throw new TypeError(
    `expected a name for the controller of ${kindName(kind)}, got none: other programs write this kind too, and the name ` +
      "becomes the field manager, the event source and the metrics label that distinguish them; " +
      `set \`name\`, like controller({ name: "example-${kind.kind.toLowerCase()}", for: ${kind.kind}, … })`,
  );
}

function defaultFieldManager(name: string, { definedHere, group }: Kind): string {
  return definedHere ? `${name}.${group}` : name;
}

function atLeast(name: string, value: number, min: number): void {
  if (!(value >= min)) throw new RangeError(`expected ${name} of at least ${min}, got ${value}`);
}

interface Watching extends Pick<ReconcileOptions<KubeObject>, "on" | "indexes"> {
  readonly for: Kind;
}

/** Throws for an index of a kind that the controller does not watch: nothing would sync it before a reconcile. */
function checkIndexes(controller: string, { for: primary, on = [], indexes = [] }: Watching): void {
  const watched = new Set([primary, ...on.flatMap(({ kind }) => kind ?? [])].map(kindName));
  const stray = indexes.find(({ kind }) => !watched.has(kindName(kind)));
  if (!stray) return;
  throw new TypeError(
    `expected indexes of kinds that controller ${JSON.stringify(controller)} watches (${[...watched].join(", ")}), ` +
      `got one of ${kindName(stray.kind)}; add the kind to \`on\``,
  );
}

/**
 * Throws if the finalizer is not a qualified name with a domain, or if a former finalizer is the same. API servers
 * accept other names only for their own finalizers.
 */
function checkFinalizers(
  controller: string,
  { finalizer, formerFinalizers = [] }: Pick<CleanupOptions<KubeObject>, "finalizer" | "formerFinalizers">,
): void {
  const of = `of controller ${JSON.stringify(controller)}`;
  if (!isQualified(finalizer)) {
    throw new TypeError(
      `expected finalizer ${of} to be a domain, "/" and a name, like "example.dev/websites", got ${JSON.stringify(finalizer)}`,
    );
  }
  for (const former of formerFinalizers) {
    if (typeof former === "string" && former !== "" && former !== finalizer) continue;
    throw new TypeError(
      `expected formerFinalizers ${of} to be other names than finalizer ${JSON.stringify(finalizer)}, got ${JSON.stringify(former)}`,
    );
  }
}

/** Returns true for a label key with a domain: finalizers follow the rules of label keys. */
function isQualified(finalizer: unknown): finalizer is string {
  return typeof finalizer === "string" && finalizer.includes("/") && labelKeyProblem(finalizer) === undefined;
}
