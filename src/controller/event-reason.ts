import type { KubeObject } from "../api/index.ts";
import type { ObjectEvent } from "../cache/index.ts";
import { changedPaths, type Reason, type ReasonEvent } from "./reason.ts";

/**
 * Why a key was queued, from an event. What changed, and whether it was our own doing, is found out when somebody asks:
 * an event may come before the answer to the write that it tells of.
 */
export class EventReason implements Reason {
  readonly kind: string;
  readonly #isOwn: (resourceVersion: string) => boolean;
  readonly #event: ObjectEvent<KubeObject>;
  #changed: readonly string[] | undefined;

  constructor(kind: string, event: ObjectEvent<KubeObject>, isOwn: (resourceVersion: string) => boolean) {
    this.kind = kind;
    this.#isOwn = isOwn;
    this.#event = event;
  }

  get key(): string {
    return this.#event.key;
  }

  /** Of that object, as the event had it. Costs no parsing. */
  get resourceVersion(): string {
    return this.#event.resourceVersion;
  }

  get event(): ReasonEvent {
    const event = this.#event;
    return event.type === "updated" && event.resync ? "resync" : event.type;
  }

  get echo(): boolean {
    return this.#isOwn(this.#event.resourceVersion);
  }

  get changed(): readonly string[] {
    this.#changed ??=
      this.#event.type === "updated" ? changedPaths(this.#event.previous, this.#event.object) : [];
    return this.#changed;
  }

  /** As logs show it. */
  toJSON(): Reason {
    const { kind, key, event, changed, echo } = this;
    return { kind, key, event, changed, echo };
  }
}

/** A reason that is no event of an object. */
export function reasonOf(event: ReasonEvent, key: string): Reason {
  return { kind: "", key, event, changed: [], echo: false };
}
