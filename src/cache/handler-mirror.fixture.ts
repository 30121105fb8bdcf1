import type { KubeObject } from "../api/index.ts";
import { isNewer } from "../api/index.ts";
import type { Lister, ObjectEvent } from "./index.ts";

/**
 * A handler that mirrors the objects of its events, and records violations of what informers guarantee: an update or
 * delete of an unknown object or an add of a known one, a version older than an earlier one, a wrong `previous`, an
 * event before the lister has the object.
 */
export class HandlerMirror<T extends KubeObject> {
  readonly objects: Map<string, T> = new Map();
  readonly violations: string[] = [];
  /** The newest version of each object that was ever delivered. */
  readonly #newest = new Map<string, string>();
  readonly #lister: Lister<T> | undefined;
  events = 0;

  constructor(lister?: Lister<T>) {
    this.#lister = lister;
  }

  readonly handler = (event: ObjectEvent<T>): void => {
    this.events += 1;
    const { type, key, object } = event;
    this.#check((type !== "added") === this.objects.has(key), event, "does not match the known objects");
    this.#check(!this.#isOld(key, object), event, `is older than ${this.#newest.get(key)}`);
    if (type === "updated") this.#check(this.#was(key, event.previous), event, "has a wrong previous");
    if (this.#lister) this.#check(this.#isRead(event, this.#lister), event, "came before the lister had it");
    this.#newest.set(key, object.metadata.resourceVersion);
    if (type === "deleted") this.objects.delete(key);
    else this.objects.set(key, JSON.parse(JSON.stringify(object)) as T); // a copy of the same object
  };

  #isOld(key: string, { metadata }: T): boolean {
    const newest = this.#newest.get(key);
    return newest !== undefined && isNewer(newest, metadata.resourceVersion);
  }

  #was(key: string, previous: T): boolean {
    return this.objects.get(key)?.metadata.resourceVersion === previous.metadata.resourceVersion;
  }

  #isRead({ type, key, object }: ObjectEvent<T>, lister: Lister<T>): boolean {
    const read = lister.get(key);
    const delivered = object.metadata.resourceVersion;
    if (type === "deleted") return read?.metadata.resourceVersion !== delivered;
    return read === undefined || !isNewer(delivered, read.metadata.resourceVersion);
  }

  #check(ok: boolean, { type, key, object }: ObjectEvent<T>, violation: string): void {
    if (!ok) this.violations.push(`${type} ${key}@${object.metadata.resourceVersion} ${violation}`);
  }
}
