import type { Thing } from "../src/cache/objects/objects.fixture.ts";
import { isSameJson, plain, shortJson } from "./things.ts";
import { keyOf } from "./watch-server.ts";

/** The part of an object that a view keeps. */
export type Kept = (object: Thing) => unknown;

/** Every version of every object that a server has had, as plain JSON. */
export class Truth {
  readonly #versions = new Map<string, string>();
  compared = 0;

  record(object: Thing): void {
    this.#versions.set(`${keyOf(object)}@${object.metadata.resourceVersion}`, JSON.stringify(object));
  }

  /** Throws if `found` is not that version of the object. */
  check(found: unknown, { key, version, kept }: Claim, where: string): void {
    this.compared += 1;
    const text = this.#versions.get(`${key}@${version}`);
    if (text === undefined) throw new Error(`expected a version of ${key} from ${where}, got ${version}`);
    const expected = kept(JSON.parse(text) as Thing); // it was recorded with this type
    if (isSameJson(found, expected)) return;
    throw new Error(
      `expected ${key}@${version} from ${where} to be ${shortJson(expected)}, got ${shortJson(plain(found))}`,
    );
  }

  of(key: string, version: string): Thing {
    return JSON.parse(this.#versions.get(`${key}@${version}`) ?? "{}") as Thing; // it was recorded with this type
  }
}

/** A version of an object, as a view keeps it. */
export interface Claim {
  readonly key: string;
  readonly version: string;
  readonly kept: Kept;
}
