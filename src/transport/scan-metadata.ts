import { endOfValue, enough, nowhere, type OnMember, plainString, Word, walkObject } from "./json-walk.ts";

/**
 * Looks into the bytes of objects, whatever the order of their fields, for what a cache has to know of them: who they
 * are, and where `metadata` and its `managedFields` lie.
 *
 * Compact JSON alone, in which every key comes once: what an API server writes. Anything else is `nowhere`, and for a
 * parser. One scan is used for many objects: what it has found holds until it looks at the next.
 */
export class MetadataScan {
  name = "";
  /** Empty for objects of no namespace. */
  namespace = "";
  resourceVersion = "";
  /** Of the value of `metadata`, with its braces. */
  metadataStart = 0;
  metadataEnd = 0;
  /** Of `managedFields` with the comma that goes with them; both 0 where there are none. */
  cutStart = 0;
  cutEnd = 0;
  /** Of the value of `kind`, with its quotes; both 0 where it is not said. */
  kindStart = 0;
  kindEnd = 0;

  #bytes: Buffer = noBytes;
  #brief = false;
  #types = 0;

  /** Whether the object says its `apiVersion` and its `kind`: servers leave them out of lists of built-in kinds. */
  get typed(): boolean {
    return this.#types === 2;
  }

  /**
   * The object from `start` to `end`, of which no more is looked at than is needed. Says whether it was found to be
   * one that needs no parser.
   */
  within(bytes: Buffer, start: number, end: number): boolean {
    this.#begin(bytes, true);
    const found = walkObject(bytes, start, this.#inObject);
    return found !== nowhere && Math.max(found, this.metadataEnd, this.kindEnd) <= end && this.#known();
  }

  /**
   * The object at `start`, to its end: gives where that is, or `nowhere`. One that ends but has no name or version, or
   * none that can be had without parsing, has an empty `name`.
   */
  to(bytes: Buffer, start: number): number {
    this.#begin(bytes, false);
    const end = walkObject(bytes, start, this.#inObject);
    if (!this.#known()) this.name = "";
    return end;
  }

  #begin(bytes: Buffer, brief: boolean): void {
    this.#bytes = bytes;
    this.#brief = brief;
    this.#types = 0;
    this.name = "";
    this.namespace = "";
    this.resourceVersion = "";
    this.metadataStart = 0;
    this.metadataEnd = 0;
    this.cutStart = 0;
    this.cutEnd = 0;
    this.kindStart = 0;
    this.kindEnd = 0;
  }

  #known(): boolean {
    return this.name !== "" && this.resourceVersion !== "" && this.metadataStart > 0;
  }

  readonly #inObject: OnMember = (key, value) => {
    const bytes = this.#bytes;
    let end: number;
    if (words.metadata.is(bytes, key, value)) {
      this.metadataStart = value;
      end = walkObject(bytes, value, this.#inMetadata);
      this.metadataEnd = end;
    } else {
      end = endOfValue(bytes, value);
      if (words.apiVersion.is(bytes, key, value)) this.#types += 1;
      else if (words.kind.is(bytes, key, value)) this.#kind(value, end);
    }
    return end > 0 && this.#brief && this.typed && this.metadataEnd > 0 ? enough : end;
  };

  readonly #inMetadata: OnMember = (key, value) => {
    const bytes = this.#bytes;
    const end = endOfValue(bytes, value);
    if (end < 0) return nowhere;
    if (words.name.is(bytes, key, value)) this.name = plainString(bytes, value, end) ?? "";
    else if (words.namespace.is(bytes, key, value)) this.#namespace(value, end);
    else if (words.managedFields.is(bytes, key, value)) this.#cut(key - 1, end);
    else if (words.version.is(bytes, key, value)) this.resourceVersion = plainString(bytes, value, end) ?? "";
    return end;
  };

  #kind(start: number, end: number): void {
    this.#types += 1;
    this.kindStart = start;
    this.kindEnd = end;
  }

  /** A namespace that only a parser can read makes the object one for a parser. */
  #namespace(start: number, end: number): void {
    const text = plainString(this.#bytes, start, end);
    if (text === undefined) this.metadataStart = nowhere;
    else this.namespace = text;
  }

  #cut(start: number, end: number): void {
    const followed = this.#bytes[end] === comma;
    this.cutStart = !followed && this.#bytes[start - 1] === comma ? start - 1 : start;
    this.cutEnd = followed ? end + 1 : end;
  }
}

const comma = 0x2c;
const noBytes = Buffer.alloc(0);
const words = {
  metadata: new Word("metadata"),
  kind: new Word("kind"),
  apiVersion: new Word("apiVersion"),
  name: new Word("name"),
  namespace: new Word("namespace"),
  version: new Word("resourceVersion"),
  managedFields: new Word("managedFields"),
};
