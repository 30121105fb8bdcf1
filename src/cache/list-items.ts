import { endOfValue, nowhere } from "../transport/index.ts";

/** Takes the item at `start`; gives where it ends, or less than 0 where its end has yet to come. */
export type OnItem = (bytes: Buffer, start: number) => number;

/** What a list says of itself. */
export interface ListHead {
  readonly kind: string | undefined;
  /** Whether it had any `items`, be they none. */
  readonly listed: boolean;
  readonly resourceVersion: string | undefined;
  /** Where the next page is, if there is one. */
  readonly continue: string | undefined;
}

/** What came is no list. The message says what it is instead. */
export class NotAListError extends Error {
  override readonly name: string = "NotAListError";
}

/**
 * Cuts the body of a list into its items, in any order of fields and with any white space between them.
 *
 * Nothing of the body is kept but what has not ended yet. Every byte is looked at twice at most, however many chunks an
 * item spans. What is no list throws a `NotAListError`.
 */
export class ListItems {
  readonly #onItem: OnItem;
  #place: Place = "begin";
  /** What came and was not understood yet is in there, from the start. */
  #room: Buffer = none;
  #waiting = 0;
  /** With fewer bytes than this, another look is not worth it. */
  #worth = 0;
  #kind: string | undefined;
  #listed = false;
  #metadata: ListMetadata = {};

  constructor(onItem: OnItem) {
    this.#onItem = onItem;
  }

  /** Chunks are lent until it returns. */
  push(chunk: Buffer): void {
    if (this.#waiting === 0) return this.#look(chunk);
    this.#keep(chunk);
    if (this.#waiting >= this.#worth) this.#look(this.#room.subarray(0, this.#waiting));
    if (this.#waiting > longest) throw new NotAListError(`an item of more than ${longest} bytes`);
  }

  /** To be called at the end of the body. `undefined` where that is in the middle of the list. */
  end(): ListHead | undefined {
    this.#look(this.#room.subarray(0, this.#waiting));
    if (this.#place !== "over") return undefined;
    const { resourceVersion, continue: token } = this.#metadata;
    return { kind: this.#kind, listed: this.#listed, resourceVersion, continue: token || undefined };
  }

  #look(bytes: Buffer): void {
    let at = 0;
    for (let next = 0; next !== nowhere; next = this.#step(bytes, afterSpace(bytes, at))) at = next;
    this.#waiting = 0;
    this.#worth = 2 * (bytes.length - at);
    if (at < bytes.length) this.#keep(bytes.subarray(at));
  }

  /** Which may lie in the room itself. */
  #keep(bytes: Buffer): void {
    const length = this.#waiting + bytes.length;
    if (length > this.#room.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * length, leastRoom));
      this.#room.copy(larger, 0, 0, this.#waiting);
      this.#room = larger;
    }
    bytes.copy(this.#room, this.#waiting);
    this.#waiting = length;
  }

  /** One step on from `at`, or `nowhere` where more has to come first. */
  #step(bytes: Buffer, at: number): number {
    const byte = bytes[at];
    if (byte === undefined) return nowhere;
    const next = follows[this.#place].get(byte);
    if (next) return this.#go(next, at + 1);
    if (this.#place === "item") return this.#item(bytes, at);
    return this.#place === "member" ? this.#member(bytes, at) : senseless(bytes, at);
  }

  #go(place: Place, at: number): number {
    this.#place = place;
    return at;
  }

  #item(bytes: Buffer, at: number): number {
    const end = this.#onItem(bytes, at);
    if (end < 0) return nowhere;
    return this.#go("after item", end);
  }

  #member(bytes: Buffer, at: number): number {
    if (bytes[at] !== quote) return senseless(bytes, at);
    const keyEnd = endOfValue(bytes, at);
    const colonAt = keyEnd < 0 ? bytes.length : afterSpace(bytes, keyEnd);
    const value = afterSpace(bytes, colonAt + 1);
    if (value >= bytes.length) return nowhere;
    if (bytes[colonAt] !== colon) return senseless(bytes, colonAt);
    const key = parsed(bytes, at, keyEnd);
    if (key === "items") this.#listed = true;
    if (key === "items" && bytes[value] === openBracket) return this.#go("item", value + 1);
    const end = endOfValue(bytes, value);
    if (end < 0) return nowhere;
    if (key === "kind") this.#kind = String(parsed(bytes, value, end));
    if (key === "metadata") this.#metadata = (parsed(bytes, value, end) ?? {}) as ListMetadata; // as servers have it
    return this.#go("after member", end);
  }
}

type Place = "begin" | "member" | "after member" | "item" | "after item" | "over";

interface ListMetadata {
  readonly resourceVersion?: string | undefined;
  readonly continue?: string | undefined;
}

/** Longer than anything that an API server stores. */
const longest = 64 * 1024 * 1024;
const none = Buffer.alloc(0);
const leastRoom = 64 * 1024;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Where the bytes lead that are neither an item nor a member. */
const follows: Readonly<Record<Place, ReadonlyMap<number, Place>>> = {
  begin: new Map([[openBrace, "member"]]),
  member: new Map([[closeBrace, "over"]]),
  "after member": new Map([
    [comma, "member"],
    [closeBrace, "over"],
  ]),
  item: new Map([[closeBracket, "after member"]]),
  "after item": new Map([
    [comma, "item"],
    [closeBracket, "after member"],
  ]),
  over: new Map(),
};

function afterSpace(bytes: Buffer, at: number): number {
  let next = at;
  for (let byte = bytes[next]; byte === 0x20 || (byte !== undefined && byte <= 0x0d); byte = bytes[next])
    next += 1;
  return next;
}

function parsed(bytes: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(bytes.toString("utf8", start, end));
  } catch {
    return senseless(bytes, start);
  }
}

function senseless(bytes: Buffer, at: number): never {
  const text = bytes.toString("utf8", at, at + 200);
  throw new NotAListError(JSON.stringify(text));
}
