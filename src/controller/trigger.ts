import { inspect } from "node:util";
import type { Kind, KubeObject, ObjectKey } from "../api/index.ts";
import type { View } from "../cache/index.ts";
import type { Cache } from "./cache.ts";
import type { Channel } from "./channel.ts";
import type { Mapped } from "./mapped-keys.ts";
import type { OtherCluster } from "./other-cluster.ts";
import type { Predicate } from "./predicates.ts";

/**
 * Returns the objects to reconcile for an object of another kind: keys, or objects, such as those that `cache.by`
 * returns. A bare name means the namespace of the mapped object; if that is cluster-scoped and the reconciled kind is
 * not, a bare name is an error.
 */
export type Mapper<T> = (object: T, context: { readonly cache: Cache }) => Iterable<Mapped>;

/** A source of keys besides the primary kind's events. Made by `owns`, `watches`, `external`, `channel` and `poll`. */
export type Trigger = OwnsTrigger | WatchesTrigger | ExternalTrigger | Channel | PollTrigger;

export interface PriorityOptions {
  /**
   * Priority of the keys that this trigger queues. Keys with a higher priority are reconciled first. Keys of initial
   * adds, resyncs and polls have 100 less. @default 0
   */
  readonly priority?: number | undefined;
}

export interface WatchOf<T extends KubeObject> extends PriorityOptions {
  /** Selects events. @default all except resyncs */
  readonly when?: Predicate<T> | undefined;
  /** The part of the kind to watch. @default all */
  readonly view?: View<T> | undefined;
  /** The cluster to watch. @default the manager's own */
  readonly cluster?: OtherCluster | undefined;
}

export interface OwnsTrigger extends WatchOf<KubeObject> {
  readonly type: "owns";
  readonly kind: Kind;
  readonly anyOwner: boolean;
}

export interface WatchesTrigger extends WatchOf<KubeObject> {
  readonly type: "watches";
  readonly kind: Kind;
  readonly map: Mapper<KubeObject>;
}

export interface ExternalTrigger extends PriorityOptions {
  readonly type: "external";
  readonly kind?: undefined;
  /** Starts the source. Called again, with a new signal, whenever the source has ended or failed. */
  readonly start: (signal: AbortSignal) => AsyncIterable<ObjectKey | string>;
}

export interface PollTrigger extends PriorityOptions {
  readonly type: "poll";
  readonly kind?: undefined;
  readonly everyMs: number;
}

/** Reconciles the owner of an object for each event of the object: its controller, or every owner with `anyOwner`. */
export function owns<T extends KubeObject>(
  kind: Kind<T>,
  options: WatchOf<T> & { readonly anyOwner?: boolean | undefined } = {},
): Trigger {
  return { type: "owns", ...untyped(kind, options, "owns"), anyOwner: options.anyOwner ?? false };
}

/** Reconciles the keys that `map` returns for each event. Calls `map` with the object before and after an update. */
export function watches<T extends KubeObject>(
  kind: Kind<T>,
  map: Mapper<T>,
  options: WatchOf<T> = {},
): Trigger {
  return { type: "watches", ...untyped(kind, options, "watches"), map: map as Mapper<KubeObject> }; // it is only called with objects of `kind`
}

/**
 * Reconciles keys from an external source, such as a message queue.
 *
 * `start` is called when the controller starts its workers (so not on a standby), and again with backoff whenever the
 * source ends or fails. `trimtab_source_restarts_total` counts the restarts, and `/readyz?verbose` shows them; a source
 * is named after its function. A failing source does not make the process unready. The signal aborts when the
 * controller stops, and when this run of the source has ended.
 *
 * ```ts
 * external(async function* messages(signal) {
 *   for await (const message of subscribe("websites", { signal })) yield message.key;
 * })
 * ```
 */
export function external(
  start: (signal: AbortSignal) => AsyncIterable<ObjectKey | string>,
  { priority }: PriorityOptions = {},
): Trigger {
  if (typeof start !== "function") {
    throw new TypeError(
      "expected external() to receive a function that starts the source, got " +
        `${inspect(start, { depth: 0 })}; write external((signal) => source)`,
    );
  }
  checkPriority(priority, "external");
  return { type: "external", start, priority };
}

/** Reconciles every object at an interval, for changes outside the cluster that cause no event. */
export function poll({ everyMs, priority }: PriorityOptions & { readonly everyMs: number }): Trigger {
  if (!(everyMs > 0)) throw new RangeError(`expected everyMs of poll to be more than 0, got ${everyMs}`);
  checkPriority(priority, "poll");
  return { type: "poll", everyMs, priority };
}

/** Drops the object type. The predicate and the transform are only called with objects of `kind`. */
function untyped<T extends KubeObject>(
  kind: Kind<T>,
  { when, view, cluster, priority }: WatchOf<T>,
  trigger: string,
): WatchOf<KubeObject> & { readonly kind: Kind } {
  checkPriority(priority, `${trigger}(${kind.kind})`);
  return {
    kind: kind as Kind,
    when: when as Predicate<KubeObject> | undefined,
    view: view as View<KubeObject> | undefined,
    cluster,
    priority,
  };
}

function checkPriority(priority: number | undefined, trigger: string): void {
  if (priority === undefined || Number.isFinite(priority)) return;
  throw new RangeError(`expected priority of ${trigger} to be a finite number, got ${inspect(priority)}`);
}
