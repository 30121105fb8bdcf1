import { ByteMatcher } from "./byte-matcher.ts";
import { endOfValue, enough, nowhere, walkObject } from "./json-walk.ts";
import { ObjectScan } from "./scan-object.ts";
import type { BodyReader } from "./transport.ts";

/** It looks at what has come when there is so much of it. */
const windowBytes = 64 * 1024;

/**
 * Parses a list while it comes, item by item, each without its managedFields.
 *
 * It reads the compact JSON that an API server writes, for as long as it is that. What is left then, and where nothing
 * is odd that is a closing brace, is for a parser to look at: see `end`. So bytes that have been read need not be kept,
 * and nothing waits for the last one of them.
 */
export class ListReader implements BodyReader {
  readonly items: unknown[] = [];
  /** Of the list, where it came before the items. */
  metadata: unknown;
  readonly #onItems: (metadata: unknown) => void;
  readonly #scan = new ObjectScan();
  #part: "head" | "items" | "tail" = "head";
  /** What comes between two items: see `separatorAt`. */
  #separator: Buffer = none;
  /** What has come, from `#at` to `#length`. What lies before has been read, what lies beyond is room. */
  #window: Buffer = none;
  #at = 0;
  #length = 0;
  /** As long as less is there, it is not looked at: an item that has not come whole is not looked at for every chunk. */
  #wanted = 0;

  /** @param onItems called once when the items begin, with `metadata` */
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

  /** All has come. Gives what was not read as the JSON of a list that has the rest: `items` that follow, other fields. */
  end(): Buffer {
    this.#read(true);
    const left = this.#window.subarray(this.#at, this.#length);
    if (this.#part === "head") return left;
    if (this.#part === "tail") return Buffer.concat([Buffer.from('{"":0'), left]);
    const comma = left[0] === closeBracket ? "," : ""; // it was read, and is what is wrong
    return Buffer.concat([Buffer.from(`{"items":[${comma}`), left]);
  }

  /** For so many more bytes. */
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
    const bytes = this.#window.subarray(0, this.#length); // nothing is looked for in the room beyond
    if (this.#part === "head") this.#readHead(bytes);
    while (this.#part === "items" && this.#readItem(bytes, last));
  }

  #readHead(bytes: Buffer): void {
    let items = nowhere;
    walkObject(bytes, this.#at, (key, value) => {
      if (keys.items.isKey(bytes, key, value)) items = value;
      else if (keys.metadata.isKey(bytes, key, value)) return this.#readMetadata(bytes, value);
      return items === nowhere ? endOfValue(bytes, value) : enough;
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

  /** Says whether there was one to read. */
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

  /** The item that was scanned, if it ends at `end`. From then on it is there without its managedFields, whatever it is. */
  #parse(bytes: Buffer, end: number): unknown {
    this.#at = this.#scan.cut();
    return parsed(() => JSON.parse(bytes.toString("utf8", this.#at, end)));
  }

  /** Where the item seems to end. */
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
 * What lies between an item and the next: a comma, and the beginning of the first. Found within an item too, but what
 * ends there is no JSON: of all that begins where an object does, that object alone is. So who can parse has guessed right,
 * and items need not be walked to their end. `undefined` where the beginning has not come.
 */
function separatorAt(bytes: Buffer, start: number): Buffer | undefined {
  const keyEnd = bytes.indexOf('":', start);
  return keyEnd < 0 ? undefined : Buffer.concat([Buffer.from(","), bytes.subarray(start, keyEnd + 2)]);
}

/** `undefined` for what is no JSON: a later parser will say so. */
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
