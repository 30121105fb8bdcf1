import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { below, type Rng } from "../src/base/index.ts";
import { hostileObjects, type Thing } from "../src/cache/objects/objects.fixture.ts";
import { anyOf, chance, drawSeed, pick } from "./draw.ts";

export const namespaces = ["a", "default", "kube-system"] as const;

/** Draws objects: a pool of odd ones for each round, and changes of them. */
export class Things {
  readonly #rng: Rng;
  readonly #pool: readonly Thing[];
  readonly #keys: readonly (readonly [namespace: string, name: string])[];
  #uids = 0;

  constructor(rng: Rng, keys: number) {
    this.#rng = rng;
    const pool = fc.sample(hostileObjects, { seed: drawSeed(rng), numRuns: 40 });
    this.#pool = pool.map((object) => JSON.parse(JSON.stringify(object)) as Thing); // `create` sets the kind
    this.#keys = Array.from({ length: keys }, (_, index) => [pick(rng, namespaces), `thing-${index}`]);
  }

  key(): string {
    return (anyOf(this.#rng, this.#keys) ?? []).join("/");
  }

  create(key: string): Thing {
    const [namespace = "", name = ""] = key.split("/");
    const { metadata, ...rest } = this.#body();
    this.#uids += 1;
    const own = { name, namespace, uid: `uid-${this.#uids}`, labels: this.#labels() };
    const type = { apiVersion: "example.dev/v1", kind: "Thing" } as const;
    return { ...rest, ...type, metadata: { ...metadata, ...own } } as Thing; // the server adds the version
  }

  /** Another version of the object: new content, or one change. */
  change(object: Thing): Thing {
    const rng = this.#rng;
    const { metadata } = object;
    if (chance(rng, 0.3)) {
      const { metadata: other, ...rest } = this.#body();
      const { name, namespace, uid, resourceVersion } = metadata;
      const own = { name, namespace, uid, resourceVersion, labels: this.#labels() };
      return { ...object, ...rest, metadata: { ...other, ...own } } as Thing; // as in `create`
    }
    const changes: [Partial<Thing["metadata"]>, ...Partial<Thing["metadata"]>[]] = [
      { labels: this.#labels() },
      { annotations: { note: pick(rng, oddTexts) } },
      { generation: below(rng, 100) },
      { finalizers: [`example.dev/${below(rng, 3)}`] },
      {},
    ];
    const status = { count: below(rng, 10), text: pick(rng, oddTexts) };
    return { ...object, status, metadata: { ...metadata, ...pick(rng, changes) } };
  }

  #labels(): Record<string, string> {
    return { group: pick(this.#rng, ["a", "b"]), text: pick(this.#rng, oddTexts) };
  }

  /** Returns the content of one of the pool: sometimes large, without its identity. */
  #body(): Thing {
    const { apiVersion: _, kind: __, ...body } = anyOf(this.#rng, this.#pool) ?? ({} as Thing); // the pool has elements
    const large = { large: "x".repeat(below(this.#rng, 60_000)) };
    return { ...body, ...(chance(this.#rng, 0.02) && large) } as Thing; // as in `create`
  }
}

const oddTexts = [
  "",
  "}",
  '"',
  "\\",
  '\\"',
  '{"a":"b"}',
  '"generation":5',
  "é😀",
  "\u2028",
  "x".repeat(70),
] as const;

/** Returns true if two values are the same JSON, in any order of keys. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(plain(one), plain(other));
}

export function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Returns JSON for messages: long runs of one letter and long texts are shortened. */
export function shortJson(value: unknown): string {
  const text = (JSON.stringify(value) ?? "undefined").replaceAll(/x{20,}/g, "xx..");
  return text.length > 2000 ? `${text.slice(0, 2000)}..` : text;
}
