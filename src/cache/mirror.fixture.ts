import type { KubeObject } from "../api/index.ts";
import { isNewer } from "../api/index.ts";
import type { Lister, ObjectEvent } from "./index.ts";

/**
 * A handler that makes a copy of its own of what it is told, and keeps what it was told wrongly: of an object it does
 * not know or knows already, a version that is older than one before, another `previous` than it has, something that the
 * lister does not have yet.
 */
export class Mirror<T extends KubeObject> {
  readonly objects: Map<string, T> = new Map();
  readonly wrongs: string[] = [];
  /** The newest version of each object that was ever told. */
  readonly #newest = new Map<string, string>();
  readonly #lister: Lister<T> | undefined;
  events = 0;

  constructor(lister?: Lister<T>) {
    this.#lister = lister;
  }

  readonly handler = (event: ObjectEvent<T>): void => {
    this.events += 1;
    const { type, key, object } = event;
    this.#check(
      (type !== "added") === this.objects.has(key),
      event,
      "of an object that it knows or does not",
    );
    this.#check(!this.#isOld(key, object), event, `after ${this.#newest.get(key)}`);
    if (type === "updated") this.#check(this.#was(key, event.previous), event, "with another previous");
    if (this.#lister) this.#check(this.#isRead(event, this.#lister), event, "before it could be read");
    this.#newest.set(key, object.metadata.resourceVersion);
    if (type === "deleted") this.objects.delete(key);
    else this.objects.set(key, JSON.parse(JSON.stringify(object)) as T); // a copy of the same
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
    const told = object.metadata.resourceVersion;
    if (type === "deleted") return read?.metadata.resourceVersion !== told;
    return read === undefined || !isNewer(told, read.metadata.resourceVersion);
  }

  #check(right: boolean, { type, key, object }: ObjectEvent<T>, wrong: string): void {
    if (!right) this.wrongs.push(`${type} ${key}@${object.metadata.resourceVersion} ${wrong}`);
  }
}
