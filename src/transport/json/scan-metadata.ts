import { unreachable } from "../../base/index.ts";
import { endOfPlain, endOfString, endOfValue, nowhere, skipMetadataValue, valueAfter } from "./json-walk.ts";
import { KnownKeys } from "./known-keys.ts";
import { asciiText, StringInterner } from "./string-interner.ts";

/**
 * Scans the bytes of an object for the data that a cache needs: its name, namespace and resource version, and the
 * positions of `metadata` and `managedFields`. The order of the fields does not matter.
 *
 * It supports only compact JSON without duplicate keys, as API servers write it. Anything else gives `nowhere` and
 * needs a parser. One instance scans many objects: its fields are valid until the next scan.
 */
export class MetadataScan {
  name = "";
  /** Empty for cluster-scoped objects. */
  namespace = "";
  resourceVersion = "";
  /** End of the value of `resourceVersion`, with its quotes. */
  versionEnd = 0;
  /** Range of the value of `metadata`, with its braces. */
  metadataStart = 0;
  metadataEnd = 0;
  /** Range of `managedFields` with its comma. Both are 0 if there are none. */
  cutStart = 0;
  cutEnd = 0;
  /** Range of the value of `kind`, with its quotes. Both are 0 if there is no `kind`. */
  kindStart = 0;
  kindEnd = 0;

  #types = 0;

  /** True if the object has `apiVersion` and `kind`, which servers omit in lists of built-in kinds. */
  get typed(): boolean {
    return this.#types === 2;
  }

  /**
   * Scans the object from `start` to `end`, only as far as needed.
   * @returns true if the scan found everything, so that the object needs no parser
   */
  within(bytes: Buffer, start: number, end: number): boolean {
    this.#begin();
    const found = this.#object(bytes, start, "known");
    return found !== nowhere && Math.max(found, this.metadataEnd, this.kindEnd) <= end && this.#known();
  }

  /**
   * Scans the complete object at `start`. `name` stays empty if the object has no name or resource version, or only a
   * parser can read them.
   * @returns the end of the object, or `nowhere`
   */
  to(bytes: Buffer, start: number): number {
    this.#begin();
    const end = this.#object(bytes, start, "end");
    if (!this.#known()) this.name = "";
    return end;
  }

  /** Scans the object at `start` up to the end of its `metadata`. @returns that end, or `nowhere` */
  toMetadata(bytes: Buffer, start: number): number {
    this.#begin();
    const at = this.#object(bytes, start, "metadata");
    return at === nowhere || this.metadataEnd === 0 ? nowhere : this.metadataEnd;
  }

  /**
   * Returns the text of the scanned object, which reaches from `start` to `end`, without its managedFields. It joins
   * the parts as bytes, because V8 would copy joined strings again.
   */
  text(bytes: Buffer, start: number, end: number): string {
    const { cutStart, cutEnd } = this;
    if (cutEnd === 0) return bytes.toString("utf8", start, end);
    const length = end - start - (cutEnd - cutStart);
    const joined = length > scratch.length ? Buffer.allocUnsafe(length) : scratch;
    const before = bytes.copy(joined, 0, start, cutStart);
    bytes.copy(joined, before, cutEnd, end);
    return joined.toString("utf8", 0, length);
  }

  #begin(): void {
    this.#types = 0;
    this.name = "";
    this.namespace = "";
    this.resourceVersion = "";
    this.versionEnd = 0;
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

  // `#object` and `#metadata` repeat the loop of `walkObject`, whose callbacks would take a third of the scan time.

  /** @param until where to stop: at the end of the object, when everything is found, or after `metadata` */
  #object(bytes: Buffer, start: number, until: "end" | "known" | "metadata"): number {
    if (bytes[start] !== openBrace) return nowhere;
    if (bytes[start + 1] === closeBrace) return start + 2;
    let at = start;
    do {
      at = this.#inObject(bytes, at + 1);
      if (at === nowhere) return nowhere;
      if (this.metadataEnd > 0 && until !== "end" && (this.typed || until === "metadata")) return at;
    } while (bytes[at] === comma);
    return bytes[at] === closeBrace ? at + 1 : nowhere;
  }

  /** @param at the position of the quote before the key */
  #inObject(bytes: Buffer, at: number): number {
    const key = bytes[at] === quote ? objectKeys.at(bytes, at + 1) : undefined;
    if (key === undefined) return endOfMember(bytes, at, endOfValue);
    const value = at + 1 + key.length;
    if (key.role === "metadata") {
      this.metadataStart = value;
      this.metadataEnd = this.#metadata(bytes, value);
      return this.metadataEnd;
    }
    const end = endOfValue(bytes, value);
    if (key.role === "kind") this.#kind(value, end);
    else this.#types += 1;
    return end;
  }

  #metadata(bytes: Buffer, start: number): number {
    if (bytes[start] !== openBrace) return nowhere;
    if (bytes[start + 1] === closeBrace) return start + 2;
    let at = start;
    do {
      const key = bytes[at + 1] === quote ? metadataKeys.at(bytes, at + 2) : undefined;
      if (key === undefined) at = endOfMember(bytes, at + 1, skipMetadataValue);
      else if (key.role === "skipped") at = skipMember(bytes, at + 2 + key.length);
      else at = this.#field(bytes, at + 2 + key.length, key.role);
      if (at === nowhere) return nowhere;
    } while (bytes[at] === comma);
    return bytes[at] === closeBrace ? at + 1 : nowhere;
  }

  #field(bytes: Buffer, value: number, field: ScannedField): number {
    switch (field) {
      case "name":
        return this.#name(bytes, value);
      case "namespace":
        return this.#namespace(bytes, value);
      case "version":
        return this.#version(bytes, value);
      case "managedFields":
        return this.#managedFields(bytes, value);
      default:
        return unreachable(field);
    }
  }

  #name(bytes: Buffer, value: number): number {
    const end = endOfPlain(bytes, value);
    this.name = end === nowhere ? "" : asciiText(bytes, value + 1, end - 1);
    return end === nowhere ? skipMetadataValue(bytes, value) : end;
  }

  /** Reads the namespace. If only a parser can read it, the whole object needs a parser. */
  #namespace(bytes: Buffer, value: number): number {
    const end = endOfPlain(bytes, value);
    if (end === nowhere) this.metadataStart = nowhere;
    else this.namespace = namespaces.intern(bytes, value + 1, end - 1);
    return end === nowhere ? skipMetadataValue(bytes, value) : end;
  }

  #version(bytes: Buffer, value: number): number {
    const end = endOfPlain(bytes, value);
    this.resourceVersion = end === nowhere ? "" : asciiText(bytes, value + 1, end - 1);
    this.versionEnd = end === nowhere ? skipMetadataValue(bytes, value) : end;
    return this.versionEnd;
  }

  #managedFields(bytes: Buffer, value: number): number {
    const start = value - '"managedFields":'.length;
    const end = skipMetadataValue(bytes, value);
    if (end === nowhere) return nowhere;
    const followed = bytes[end] === comma;
    this.cutStart = !followed && bytes[start - 1] === comma ? start - 1 : start;
    this.cutEnd = followed ? end + 1 : end;
    return end;
  }

  #kind(start: number, end: number): void {
    this.#types += 1;
    this.kindStart = start;
    this.kindEnd = end;
  }
}

/** Reused by all scans to join texts. Larger objects, which are rare, get their own buffer. */
const scratch: Buffer = Buffer.allocUnsafeSlow(64 * 1024);

/** Shared by all scans, because objects of many kinds have the same namespaces. */
const namespaces = new StringInterner();

/** Returns the end of the member whose quoted key is at `at`. */
function endOfMember(bytes: Buffer, at: number, endOf: (bytes: Buffer, value: number) => number): number {
  const value = valueAfter(bytes, at);
  return value === nowhere ? nowhere : endOf(bytes, value);
}

/**
 * Returns the end of a value within `metadata` that is not read. It checks first for a string, the most frequent type.
 */
function skipMember(bytes: Buffer, value: number): number {
  return bytes[value] === quote ? endOfString(bytes, value + 1) : skipMetadataValue(bytes, value);
}

/** The keys of an object that the scan reads. */
const objectKeys = new KnownKeys<"metadata" | "kind" | "apiVersion">([
  ["metadata", "metadata"],
  ["kind", "kind"],
  ["apiVersion", "apiVersion"],
]);

type ScannedField = "name" | "namespace" | "version" | "managedFields";

/** The keys of `metadata` that the scan reads, and frequent keys that it skips. */
const metadataKeys = new KnownKeys<ScannedField | "skipped">([
  ["name", "name"],
  ["namespace", "namespace"],
  ["resourceVersion", "version"],
  ["managedFields", "managedFields"],
  ["generateName", "skipped"],
  ["uid", "skipped"],
  ["generation", "skipped"],
  ["creationTimestamp", "skipped"],
  ["labels", "skipped"],
  ["annotations", "skipped"],
  ["ownerReferences", "skipped"],
]);

const quote = 0x22;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
