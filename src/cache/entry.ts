import type { KubeObject, Labels, ObjectMeta } from "../api/index.ts";
import { endOfValue, walkObject } from "../transport/index.ts";
import type { Block, Page, Slab } from "./slab.ts";

/**
 * One version of one object: who it is, and its bytes. What it says never changes.
 *
 * Every read parses, and keeps nothing: what it gives is the reader's own.
 */
export class Entry implements Block {
  /** Empty for objects of no namespace. */
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  // Where the bytes are: the slab's business.
  declare page: Page;
  start = 0;
  length = 0;
  held = false;
  /** Where `metadata` lies in the bytes, from their start; both 0 where only a parser knows. */
  readonly #metadataStart: number;
  readonly #metadataEnd: number;
  #key: string | undefined;

  /** @param before an earlier version of the same object, whose text it shares */
  constructor(identity: Identity, slab: Slab, pieces: Pieces, before?: Entry) {
    const { namespace, name } = before ?? identity;
    this.namespace = namespace;
    this.name = name;
    this.resourceVersion = identity.resourceVersion;
    if (before) this.#key = before.#key;
    this.#metadataStart = pieces.metadataStart;
    this.#metadataEnd = pieces.metadataEnd;
    slab.place(this, pieces.length);
    pieces.write(this.page.bytes, this.start);
  }

  /** `namespace/name`, or `name` alone. */
  get key(): string {
    this.#key ??= this.namespace === "" ? this.name : `${this.namespace}/${this.name}`;
    return this.#key;
  }

  /** The whole object, parsed anew. */
  parse<T extends KubeObject>(): T {
    return JSON.parse(this.#text(0, this.length)) as T; // the kind asked for is what came
  }

  /** Its metadata, parsed anew, without the rest. */
  metadata(): ObjectMeta {
    if (this.#metadataEnd === 0) return this.parse().metadata;
    return JSON.parse(this.#text(this.#metadataStart, this.#metadataEnd)) as ObjectMeta; // as in `parse`
  }

  /** Its labels, parsed anew, without the rest. */
  labels(): Labels | undefined {
    if (this.#metadataEnd === 0) return this.parse().metadata.labels;
    const { bytes } = this.page;
    let labels: Labels | undefined;
    walkObject(bytes, this.start + this.#metadataStart, (key, value) => {
      const end = endOfValue(bytes, value);
      if (value - 2 - key === labelsLength && bytes.toString("latin1", key, value - 2) === "labels") {
        labels = JSON.parse(bytes.toString("utf8", value, end)) as Labels; // as in `parse`
      }
      return end;
    });
    return labels;
  }

  /** The names of its fields, in their order, or `undefined` where only a parser knows. */
  fields(): string[] | undefined {
    const { bytes } = this.page;
    const names: string[] = [];
    const metadata = this.start + this.#metadataStart;
    const end = walkObject(bytes, this.start, (key, value) => {
      names.push(bytes.toString("utf8", key, value - 2));
      return value === metadata ? this.start + this.#metadataEnd : endOfValue(bytes, value);
    });
    return end < 0 ? undefined : names;
  }

  #text(start: number, end: number): string {
    return this.page.bytes.toString("utf8", this.start + start, this.start + end);
  }
}

const labelsLength = "labels".length;

export interface Identity {
  /** Empty for objects of no namespace. */
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
}

/** What an entry's bytes are made of. */
export interface Pieces {
  readonly length: number;
  /** Where `metadata` lies in what is written; both 0 where only a parser knows. */
  readonly metadataStart: number;
  readonly metadataEnd: number;
  write(target: Buffer, at: number): void;
}
