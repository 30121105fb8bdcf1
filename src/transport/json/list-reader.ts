import type { BodyReader } from "../transport.ts";
import { ByteMatcher } from "./byte-matcher.ts";
import { endOfValue, nowhere, stopWalk, walkObject } from "./json-walk.ts";
import { ObjectScan } from "./scan-object.ts";

/** The reader parses when at least this many bytes are waiting. */
const windowBytes = 64 * 1024;

/**
 * Parses a list item by item as it arrives, without the items' managedFields.
 *
 * It reads compact JSON, as API servers write it, and stops at anything else. `end` returns the unread rest for a
 * parser; usually that is one closing brace. So parsing overlaps the transfer, and bytes that have been read are not
 * kept.
 */
export class ListReader implements BodyReader {
  readonly items: unknown[] = [];
  /** The metadata of the list, if it came before the items. */
  metadata: unknown;
  readonly #onItems: (metadata: unknown) => void;
  readonly #scan = new ObjectScan();
  #part: "head" | "items" | "tail" = "head";
  /** The bytes between two items: see `separatorAt`. */
  #separator: Buffer = none;
  /** Holds the unread bytes from `#at` to `#length`. The bytes before are already read, the bytes after are free. */
  #window: Buffer = none;
  #at = 0;
  #length = 0;
  /**
   * Parsing waits until this many bytes are unread, so that an incomplete item is not scanned again for every chunk.
   */
  #wanted = 0;

  /** @param onItems called once, when the items begin, with `metadata` */
  constructor(onItems: (metadata: unknown) => void = () => {}) {
    this.#onItems = onItems;
  }

  push(chunk: Buffer): void {
    if (this.#length + chunk.length > this.#window.length) this.#makeRoom(chunk.length);
    chunk.copy(this.#window, this.#length);
    this.#length += chunk.length;
    if (this.#length - this.#at < this.#wanted) return;
    this.#read(false);
    this.#wanted = Math.max(windowBytes, 2 * (this.#length - this.#at));
  }

  /** Ends the list. Returns the unread rest as the JSON of a list, with the remaining `items` and other fields. */
  end(): Buffer {
    this.#read(true);
    const left = this.#window.subarray(this.#at, this.#length);
    if (this.#part === "head") return left;
    if (this.#part === "tail") return Buffer.concat([Buffer.from('{"":0'), left]);
    const comma = left[0] === closeBracket ? "," : ""; // makes the rest invalid, as a list that ends in a comma is
    return Buffer.concat([Buffer.from(`{"items":[${comma}`), left]);
  }

  /** Makes room for this many more bytes. */
  #makeRoom(bytes: number): void {
    const left = this.#length - this.#at;
    const needed = left + bytes;
    const source = this.#window;
    if (2 * needed > source.length)
      this.#window = Buffer.allocUnsafeSlow(Math.max(4 * windowBytes, 2 * needed));
    source.copy(this.#window, 0, this.#at, this.#length);
    this.#length = left;
    this.#at = 0;
  }

  #read(last: boolean): void {
    const bytes = this.#window.subarray(0, this.#length); // searches must not see the free bytes
    if (this.#part === "head") this.#readHead(bytes);
    while (this.#part === "items" && this.#readItem(bytes, last));
  }

  #readHead(bytes: Buffer): void {
    let items = nowhere;
    walkObject(bytes, this.#at, (key, value) => {
      if (keys.items.isKey(bytes, key, value)) items = value;
      else if (keys.metadata.isKey(bytes, key, value)) return this.#readMetadata(bytes, value);
      return items === nowhere ? endOfValue(bytes, value) : stopWalk;
    });
    if (items === nowhere || bytes[items] !== openBracket) return;
    const separator = separatorAt(bytes, items + 1);
    if (bytes[items + 1] === closeBracket) this.#goOn("tail", items + 2);
    else if (separator) this.#goOn("items", items + 1);
    this.#separator = separator ?? none;
    if (this.#part !== "head") this.#onItems(this.metadata);
  }

  #readMetadata(bytes: Buffer, at: number): number {
    const end = endOfValue(bytes, at);
    const metadata = end === nowhere ? undefined : parsed(() => JSON.parse(bytes.toString("utf8", at, end)));
    this.metadata = metadata;
    return metadata === undefined ? nowhere : end;
  }

  /** Reads one item. @returns false if no complete item is available */
  #readItem(bytes: Buffer, last: boolean): boolean {
    const guess = this.#guess(bytes);
    if (guess === nowhere && !last) return false;
    let end = guess;
    let item = guess === nowhere ? undefined : this.#parse(bytes, guess);
    if (item === undefined) {
      end = this.#scan.whole(bytes, this.#at);
      item = end === nowhere ? undefined : this.#parse(bytes, end);
    }
    if (item === undefined || (bytes[end] !== comma && bytes[end] !== closeBracket)) return false;
    this.items.push(item);
    this.#goOn(bytes[end] === comma ? "items" : "tail", end + 1);
    return true;
  }

  /**
   * Parses the scanned item, if it ends at `end`. Afterwards the bytes no longer contain its managedFields, even on
   * failure.
   */
  #parse(bytes: Buffer, end: number): unknown {
    this.#at = this.#scan.cut();
    return parsed(() => JSON.parse(bytes.toString("utf8", this.#at, end)));
  }

  /** Returns the position where the item probably ends. */
  #guess(bytes: Buffer): number {
    const metadataEnd = this.#scan.metadata(bytes, this.#at);
    return metadataEnd === nowhere ? nowhere : bytes.indexOf(this.#separator, metadataEnd);
  }

  #goOn(part: "items" | "tail", at: number): void {
    this.#part = part;
    this.#at = at;
  }
}

/**
 * Returns the bytes that separate two items: a comma and the first key of the first item. Returns `undefined` if that
 * key has not arrived yet.
 *
 * These bytes may also occur within an item. But the bytes up to there are not valid JSON then, because no proper
 * prefix of an object is. So if parsing succeeds, the guess was right, and items need not be walked to their end.
 */
function separatorAt(bytes: Buffer, start: number): Buffer | undefined {
  const keyEnd = bytes.indexOf('":', start);
  return keyEnd < 0 ? undefined : Buffer.concat([Buffer.from(","), bytes.subarray(start, keyEnd + 2)]);
}

/** Returns `undefined` for invalid JSON. A later parser reports the error. */
function parsed(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

const none = Buffer.alloc(0);
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const keys = { items: new ByteMatcher("items"), metadata: new ByteMatcher("metadata") };
