import { isDeepStrictEqual } from "node:util";
import { below, type Rng } from "../src/base/index.ts";
import { metadataFieldChanged, type ObjectEvent } from "../src/cache/index.ts";
import type { Thing } from "../src/cache/objects/objects.fixture.ts";
import type { Claim, Kept, Truth } from "./cache-truth.ts";
import { chance } from "./draw.ts";

/** A value that was read and is compared later, perhaps long after the cache has dropped it. */
export interface Retained {
  readonly read: () => unknown;
  readonly claim: Claim;
  readonly where: string;
}

export interface WatcherOptions {
  readonly rng: Rng;
  readonly truth: Truth;
  readonly kept: Kept;
  readonly retained: Retained[];
}

/** A handler that compares its events and objects with the server's: at once, later, or never. */
export class CacheWatcher {
  /** Resource versions by key, built from events only. */
  readonly known: Map<string, string> = new Map();
  readonly errors: string[] = [];
  events = 0;
  readonly #options: WatcherOptions;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  readonly handler = (event: ObjectEvent<Thing>): void => {
    this.events += 1;
    try {
      this.#follow(event);
      this.#look(event);
    } catch (error) {
      this.errors.push(String(error));
    }
  };

  #follow({ type, key, resourceVersion }: ObjectEvent<Thing>): void {
    const before = this.known.get(key);
    if ((type === "added") !== (before === undefined))
      throw new Error(`expected ${key} to be added once and then updated, got ${type} after ${before}`);
    if (before !== undefined && Number(resourceVersion) < Number(before))
      throw new Error(`expected ${key} not to go back from ${before}, got ${resourceVersion}`);
    if (type === "deleted") this.known.delete(key);
    else this.known.set(key, resourceVersion);
  }

  #look(event: ObjectEvent<Thing>): void {
    const { rng, truth } = this.#options;
    const claim = this.#claim(event.key, event.resourceVersion);
    const before = event.type === "updated" ? event.previous.metadata.resourceVersion : undefined;
    switch (below(rng, 7)) {
      case 0:
        return truth.check(event.object, claim, "an event");
      case 1:
        return this.#retain(() => event.object, claim, "a retained event");
      case 2:
        return this.#retainObject(event.object, claim);
      case 3:
        return spoil(event.object);
      case 4:
        return this.#checkFields(event);
      case 5: {
        if (event.type !== "updated" || before === undefined) return;
        return this.#retain(
          () => event.previous,
          this.#claim(event.key, before),
          "a retained previous object",
        );
      }
      default:
    }
  }

  /** Reads a part of the object now and the rest later. */
  #retainObject(object: Thing, claim: Claim): void {
    if (chance(this.#options.rng, 0.5)) void object.spec;
    this.#retain(() => object, claim, "a retained object");
  }

  #retain(read: () => unknown, claim: Claim, where: string): void {
    this.#options.retained.push({ read, claim, where });
  }

  #claim(key: string, version: string): Claim {
    return { key, version, kept: this.#options.kept };
  }

  /** Checks that an event compares metadata by its bytes as the parsed objects compare. */
  #checkFields(event: ObjectEvent<Thing>): void {
    const { truth, kept } = this.#options;
    const { metadata } = kept(truth.of(event.key, event.resourceVersion)) as Thing; // views keep this type
    if (!isDeepStrictEqual(event.generation, numberOr(metadata.generation)))
      throw new Error(`expected generation ${metadata.generation} of ${event.key}, got ${event.generation}`);
    if (event.type !== "updated" || event.resync) return;
    const { metadata: before } = kept(truth.of(event.key, event.previous.metadata.resourceVersion)) as Thing; // as above
    for (const field of ["labels", "annotations", "finalizers"] as const) {
      const changed = !isDeepStrictEqual(filled(before[field]), filled(metadata[field]));
      if (metadataFieldChanged(event, field) !== changed)
        throw new Error(
          `expected ${field} of ${event.key} to be ${changed ? "" : "un"}changed, got the opposite`,
        );
    }
  }
}

function numberOr(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Treats an absent map or list as an empty one. */
function filled(value: object | undefined): object | undefined {
  return value && Object.keys(value).length > 0 ? value : undefined;
}

/** Changes the objects of an event, which belong to the handler and must not affect others. */
function spoil(object: Thing): void {
  object.spec = "spoiled";
  object.metadata.labels = { spoiled: "yes" };
}
