import { BoundedMap } from "../base/index.ts";
import type { KeyHistory } from "./key-history.ts";

/** Records which key of which controller made each recent version of an object. */
export class Writers {
  /** Writers by `resourceVersion`. Events of writes arrive within seconds, so old entries are evicted. */
  readonly #byVersion = new BoundedMap<KeyHistory>(10_000);

  of(resourceVersion: string | undefined): KeyHistory | undefined {
    return resourceVersion === undefined ? undefined : this.#byVersion.get(resourceVersion);
  }

  /** Records the writer, unless the version has one: a write that changes nothing gets the existing version. */
  add(resourceVersion: string, writer: KeyHistory): void {
    this.#byVersion.add(resourceVersion, writer);
  }
}
