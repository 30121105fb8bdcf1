import { Recent } from "../base/index.ts";
import type { KeyHistory } from "./key-history.ts";

/** Which key of which controller made a version of an object. Of many writes, the last. */
export class Writers {
  /** By `resourceVersion`. Writes come back as events within seconds: older ones are forgotten. */
  readonly #byVersion = new Recent<KeyHistory>(10_000);

  of(resourceVersion: string | undefined): KeyHistory | undefined {
    return resourceVersion === undefined ? undefined : this.#byVersion.get(resourceVersion);
  }

  /** Keeps who was first: a write that changes nothing is answered with the version that somebody made before. */
  add(resourceVersion: string, writer: KeyHistory): void {
    this.#byVersion.add(resourceVersion, writer);
  }
}
