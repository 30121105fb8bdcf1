import { type KubeObject, parseKey } from "../../api/index.ts";
import { asError, type Logger, Milestone } from "../../base/index.ts";
import type { WatchDelta } from "../objects/delta-queue.ts";
import type { Entry } from "../objects/entry.ts";
import type { DecodeFailure } from "../objects/entry-reader.ts";
import { lazyObject } from "../objects/lazy-object.ts";
import type { EntrySink } from "../reflector/entry-sink.ts";
import { UndecodableObjects } from "../reflector/undecodable-objects.ts";
import type { ReflectorSink } from "./reflector-sink.ts";

/** Passes the entries that a reflector reads to a sink of objects. */
export class ObjectSink<T extends KubeObject> implements EntrySink {
  readonly #sink: ReflectorSink<T>;
  readonly #log: Logger;
  readonly #undecodable = new UndecodableObjects();
  /** Reached when the sink has the first list. */
  readonly synced: Milestone = new Milestone();

  constructor(sink: ReflectorSink<T>, log: Logger) {
    this.#sink = sink;
    this.#log = log;
  }

  /** Errors of the undecodable objects, by key. */
  get undecodable(): ReadonlyMap<string, Error> {
    return this.#undecodable.errors;
  }

  get backlog(): number {
    return this.#sink.backlog ?? 0;
  }

  replace(entries: readonly Entry[], resourceVersion: string): void {
    const kept = this.#undecodable.takeListed().flatMap((key) => this.#stored(key) ?? []);
    const objects = entries.map((entry) => lazyObject<T>(entry));
    this.#call("replace", () => this.#sink.replace([...objects, ...kept], resourceVersion));
    this.synced.reach();
  }

  change({ type, entry }: WatchDelta): void {
    this.#undecodable.decoded(entry);
    const object = lazyObject<T>(entry);
    const method = methods[type];
    this.#call(method, () => this.#sink[method](object));
  }

  bookmark(resourceVersion: string): void {
    this.#call("bookmark", () => this.#sink.bookmark?.(resourceVersion));
  }

  decodeFailed(failure: DecodeFailure): void {
    const { key, change, error } = failure;
    this.#log.error("object undecodable", { key, error });
    if (key === undefined) return;
    this.#undecodable.failed(key, failure);
    const object = change === "deleted" ? this.#stored(key) : undefined;
    if (object) this.#call("delete", () => this.#sink.delete(object));
  }

  flush(): void {}

  whenDrained(run: () => void): void {
    if (this.#sink.whenDrained) this.#sink.whenDrained(run);
    else run();
  }

  resync(): void {
    try {
      this.#sink.resync?.();
    } catch (error) {
      this.#log.error("resync failed", { error });
    }
  }

  /** Returns the version of an undecodable object that the sink has. None, if the object has an invalid name. */
  #stored(key: string): T | undefined {
    return isKey(key) ? this.#call("get", () => this.#sink.get?.(key)) : undefined;
  }

  /** Wraps what the sink throws, so that the reflector does not take it for an error of the server. */
  #call<R>(method: string, call: () => R): R {
    try {
      return call();
    } catch (cause) {
      throw new Error(`${method} of the sink failed: ${asError(cause).message}`, { cause });
    }
  }
}

function isKey(text: string): boolean {
  try {
    parseKey(text);
    return true;
  } catch {
    return false; // the failure to decode has been logged
  }
}

const methods = {
  added: "add",
  updated: "update",
  deleted: "delete",
} as const satisfies Record<WatchDelta["type"], keyof ReflectorSink<KubeObject>>;
