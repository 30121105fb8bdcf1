import type { KeyHistory } from "./key-history.ts";

/** Which key of which controller made a version of an object. Of many writes, the last. */
export class Writers {
  /** By `resourceVersion`, the oldest first. */
  readonly #byVersion = new Map<string, KeyHistory>();

  of(resourceVersion: string | undefined): KeyHistory | undefined {
    return resourceVersion === undefined ? undefined : this.#byVersion.get(resourceVersion);
  }

  /** Keeps who was first: a write that changes nothing is answered with the version that somebody made before. */
  add(resourceVersion: string, writer: KeyHistory): void {
    if (this.#byVersion.has(resourceVersion)) return;
    this.#byVersion.set(resourceVersion, writer);
    if (this.#byVersion.size <= most) return;
    for (const oldest of this.#byVersion.keys()) {
      this.#byVersion.delete(oldest);
      break;
    }
  }
}

/** Writes come back as events within seconds. */
const most = 10_000;
