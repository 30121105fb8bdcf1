import { inspect } from "node:util";
import type { Kind, KubeObject, ObjectKey } from "../api/index.ts";
import type { View } from "../cache/index.ts";
import type { Cache } from "./cache.ts";
import type { Channel } from "./channel.ts";
import type { OtherCluster } from "./other-cluster.ts";
import type { Predicate } from "./predicates.ts";

/** Names the objects to reconcile for an object of another kind. */
export type Mapper<T> = (object: T, context: { readonly cache: Cache }) => Iterable<ObjectKey | string>;

/** A reason to reconcile beyond the primary kind's own events. Made by `owns`, `watches`, `external`, `channel`, `poll`. */
export type Trigger = OwnsTrigger | WatchesTrigger | ExternalTrigger | Channel | PollTrigger;

export interface WatchOf<T extends KubeObject> {
  /** Which events count. @default all but those of a resync */
  readonly when?: Predicate<T> | undefined;
  /** Which part of the kind to watch. @default all */
  readonly view?: View<T> | undefined;
  /** Where to watch it. @default in the manager's own */
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

export interface ExternalTrigger {
  readonly type: "external";
  readonly kind?: undefined;
  /** Starts the source. Called again, with another signal, whenever the source has ended or failed. */
  readonly start: (signal: AbortSignal) => AsyncIterable<ObjectKey | string>;
}

export interface PollTrigger {
  readonly type: "poll";
  readonly kind?: undefined;
  readonly everyMs: number;
}

/** Events of objects that the primary kind's objects own: as their controller, or with `anyOwner` in any way. */
export function owns<T extends KubeObject>(
  kind: Kind<T>,
  options: WatchOf<T> & { readonly anyOwner?: boolean | undefined } = {},
): Trigger {
  return { type: "owns", ...untyped(kind, options), anyOwner: options.anyOwner ?? false };
}

/** Called with the object before and after the event; both sets of keys are queued. */
export function watches<T extends KubeObject>(
  kind: Kind<T>,
  map: Mapper<T>,
  options: WatchOf<T> = {},
): Trigger {
  return { type: "watches", ...untyped(kind, options), map: map as Mapper<KubeObject> }; // given objects of `kind` alone
}

/**
 * Keys from anywhere: a message queue, a timer, a test.
 *
 * `start` is called when the controller begins to work (so not on a standby), and again with backoff whenever the source ends
 * or fails. `trimtab_source_restarts_total` counts the restarts, and `/readyz?verbose` shows them; a source is named
 * after its function. A failing source does not make the process unready. The signal aborts when the controller stops, and
 * when this start of the source has ended.
 *
 * ```ts
 * external(async function* messages(signal) {
 *   for await (const message of subscribe("websites", { signal })) yield message.key;
 * })
 * ```
 */
export function external(start: (signal: AbortSignal) => AsyncIterable<ObjectKey | string>): Trigger {
  if (typeof start !== "function") {
    throw new TypeError(
      "expected external() to be given a function that starts the source, got " +
        `${inspect(start, { depth: 0 })}; write external((signal) => source)`,
    );
  }
  return { type: "external", start };
}

/** Every object again and again, however little happens to it: for what no event tells of. */
export function poll({ everyMs }: { readonly everyMs: number }): Trigger {
  if (!(everyMs > 0)) throw new RangeError(`expected milliseconds between polls, got ${everyMs}`);
  return { type: "poll", everyMs };
}

/** Its predicate and transform are given objects of `kind` alone. */
function untyped<T extends KubeObject>(
  kind: Kind<T>,
  { when, view, cluster }: WatchOf<T>,
): WatchOf<KubeObject> & { readonly kind: Kind } {
  return {
    kind: kind as Kind,
    when: when as Predicate<KubeObject> | undefined,
    view: view as View<KubeObject> | undefined,
    cluster,
  };
}
