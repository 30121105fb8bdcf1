import type { KubeObject, Labels, ObjectMeta } from "../api/index.ts";
import { endOfValue, walkObject } from "../transport/index.ts";
import { type ChangedMember, changedMembers, type Written } from "./changed-members.ts";
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
  /** And where the value of its `resourceVersion` ends. */
  readonly #versionEnd: number;
  #key: string | undefined;

  constructor(identity: Identity, slab: Slab, pieces: Pieces) {
    this.namespace = identity.namespace;
    this.name = identity.name;
    this.resourceVersion = identity.resourceVersion;
    this.#metadataStart = pieces.metadataStart;
    this.#metadataEnd = pieces.metadataEnd;
    this.#versionEnd = pieces.versionEnd;
    slab.place(this, pieces.length);
    pieces.write(this.page.bytes, this.start);
  }

  /** Another version of the same object, which shares its names. */
  version(resourceVersion: string, slab: Slab, pieces: Pieces): Entry {
    const { namespace, name } = this;
    const entry = new Entry({ namespace, name, resourceVersion }, slab, pieces);
    entry.#key = this.#key;
    return entry;
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

  /** Its generation. Costs no parsing. */
  get generation(): number | undefined {
    if (this.#metadataEnd === 0) return this.parse().metadata.generation;
    return numberOf(generationName, this.#metadataBytes());
  }

  /** The fields of its metadata that are not written as in `before`; `undefined` where only a parser knows. */
  changedMetadata(before: Entry): readonly ChangedMember[] | undefined {
    if (this === before) return none;
    if (this.#metadataEnd === 0 || before.#metadataEnd === 0) return undefined;
    const changed = this.resourceVersion !== before.resourceVersion;
    const version = changed
      ? { name: "resourceVersion", before: before.#writtenVersion(), after: this.#writtenVersion() }
      : undefined;
    return changedMembers(before.#writtenMetadata(), this.#writtenMetadata(), version);
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

  /** One of its fields, parsed anew, without the rest: one that `fields` has named. */
  field(name: string): unknown {
    const { bytes } = this.page;
    let value: unknown;
    walkObject(bytes, this.start, (key, start) => {
      const end = this.#endOf(start);
      if (bytes.toString("utf8", key, start - 2) === name)
        value = JSON.parse(bytes.toString("utf8", start, end));
      return end;
    });
    return value;
  }

  /** The names of its fields, in their order, or `undefined` where only a parser knows. */
  fields(): string[] | undefined {
    const { bytes } = this.page;
    const names: string[] = [];
    const end = walkObject(bytes, this.start, (key, value) => {
      names.push(bytes.toString("utf8", key, value - 2));
      return this.#endOf(value);
    });
    return end < 0 ? undefined : names;
  }

  /** Of the field whose value begins there. */
  #endOf(value: number): number {
    const isMetadata = value === this.start + this.#metadataStart;
    return isMetadata ? this.start + this.#metadataEnd : endOfValue(this.page.bytes, value);
  }

  #writtenMetadata(): Written {
    const { start, page } = this;
    return { bytes: page.bytes, start: start + this.#metadataStart, end: start + this.#metadataEnd };
  }

  /** With its quotes. It is a plain text, or only a parser would know where metadata lies. */
  #writtenVersion(): Written {
    const end = this.start + this.#versionEnd;
    return { bytes: this.page.bytes, start: end - this.resourceVersion.length - 2, end };
  }

  #metadataBytes(): Buffer {
    return this.page.bytes.subarray(this.start + this.#metadataStart, this.start + this.#metadataEnd);
  }

  #text(start: number, end: number): string {
    return this.page.bytes.toString("utf8", this.start + start, this.start + end);
  }
}

const labelsLength = "labels".length;
const generationName: Buffer = Buffer.from('"generation":');
const none: readonly never[] = [];

/**
 * The number that the field of this name is. The quotes around a name are found nowhere else: those in texts are escaped.
 * Below metadata no field of any name is a number, so that it is not taken for one of those.
 */
function numberOf(name: Buffer, metadata: Buffer): number | undefined {
  for (let at = metadata.indexOf(name); at >= 0; at = metadata.indexOf(name, at + 1)) {
    const start = at + name.length;
    let end = start;
    while (isDigit(metadata[end])) end += 1;
    if (end > start) return Number(metadata.toString("latin1", start, end));
  }
  return undefined;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

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
  /** Where the value of its `resourceVersion` ends. */
  readonly versionEnd: number;
  write(target: Buffer, at: number): void;
}
