import { endOfValue, nowhere } from "../../transport/index.ts";

/** Reads the item at `start`. @returns the offset of its end, or a negative number if the bytes end before it */
export type OnItem = (bytes: Buffer, start: number) => number;

/** The fields of a list besides its items. */
export interface ListHead {
  readonly kind: string | undefined;
  /** True if the list has the field `items`, even an empty one. */
  readonly hasItems: boolean;
  readonly resourceVersion: string | undefined;
  /** Token of the next page, if there is one. */
  readonly continue: string | undefined;
}

/** The body is not a list. The message contains the beginning of it. */
export class NotAListError extends Error {
  override readonly name: string = "NotAListError";
}

/**
 * Splits the body of a list into its items as it arrives, with its fields in any order and any white space between them.
 *
 * It buffers only the item that is still incomplete. It scans each byte at most twice, however many chunks an item spans. It
 * throws a `NotAListError` if the body is not a list.
 */
export class ListItems {
  readonly #onItem: OnItem;
  #state: State = "start";
  /** Contains the bytes that are not processed yet, from offset 0. */
  #buffer: Buffer = none;
  #buffered = 0;
  /** Buffered bytes from which on another scan is worth it: twice as many as at the last one. */
  #scanFrom = 0;
  #kind: string | undefined;
  #hasItems = false;
  #metadata: ListMetadata = {};

  constructor(onItem: OnItem) {
    this.#onItem = onItem;
  }

  /** Processes the next chunk. Its memory may be reused afterwards. */
  push(chunk: Buffer): void {
    if (this.#buffered === 0) return this.#scan(chunk);
    this.#append(chunk);
    if (this.#buffered >= this.#scanFrom) this.#scan(this.#buffer.subarray(0, this.#buffered));
    if (this.#buffered > maxItemBytes) throw new NotAListError(`an item of more than ${maxItemBytes} bytes`);
  }

  /** Ends the body. Returns `undefined` if the list is incomplete. */
  end(): ListHead | undefined {
    this.#scan(this.#buffer.subarray(0, this.#buffered));
    if (this.#state !== "end") return undefined;
    const { resourceVersion, continue: token } = this.#metadata;
    return { kind: this.#kind, hasItems: this.#hasItems, resourceVersion, continue: token || undefined };
  }

  #scan(bytes: Buffer): void {
    let at = 0;
    for (let next = 0; next !== nowhere; next = this.#step(bytes, afterSpace(bytes, at))) at = next;
    this.#buffered = 0;
    this.#scanFrom = 2 * (bytes.length - at);
    if (at < bytes.length) this.#append(bytes.subarray(at));
  }

  /** Appends bytes to the buffer. They may be a part of the buffer itself. */
  #append(bytes: Buffer): void {
    const length = this.#buffered + bytes.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * length, minBufferSize));
      this.#buffer.copy(larger, 0, 0, this.#buffered);
      this.#buffer = larger;
    }
    bytes.copy(this.#buffer, this.#buffered);
    this.#buffered = length;
  }

  /** Processes the next token and returns its end, or `nowhere` if it is incomplete. */
  #step(bytes: Buffer, at: number): number {
    const byte = bytes[at];
    if (byte === undefined) return nowhere;
    const next = transitions[this.#state].get(byte);
    if (next) return this.#enter(next, at + 1);
    if (this.#state === "item") return this.#item(bytes, at);
    return this.#state === "member" ? this.#member(bytes, at) : unexpected(bytes, at);
  }

  #enter(state: State, at: number): number {
    this.#state = state;
    return at;
  }

  #item(bytes: Buffer, at: number): number {
    const end = this.#onItem(bytes, at);
    if (end < 0) return nowhere;
    return this.#enter("after item", end);
  }

  #member(bytes: Buffer, at: number): number {
    if (bytes[at] !== quote) return unexpected(bytes, at);
    const keyEnd = endOfValue(bytes, at);
    const colonAt = keyEnd < 0 ? bytes.length : afterSpace(bytes, keyEnd);
    const value = afterSpace(bytes, colonAt + 1);
    if (value >= bytes.length) return nowhere;
    if (bytes[colonAt] !== colon) return unexpected(bytes, colonAt);
    const key = parsed(bytes, at, keyEnd);
    if (key === "items") this.#hasItems = true;
    if (key === "items" && bytes[value] === openBracket) return this.#enter("item", value + 1);
    const end = endOfValue(bytes, value);
    if (end < 0) return nowhere;
    if (key === "kind") this.#kind = String(parsed(bytes, value, end));
    if (key === "metadata") this.#metadata = (parsed(bytes, value, end) ?? {}) as ListMetadata; // servers send these fields
    return this.#enter("after member", end);
  }
}

/** The next token that is expected. */
type State = "start" | "member" | "after member" | "item" | "after item" | "end";

interface ListMetadata {
  readonly resourceVersion?: string | undefined;
  readonly continue?: string | undefined;
}

/** More than an API server stores in one object. */
const maxItemBytes = 64 * 1024 * 1024;
const none = Buffer.alloc(0);
const minBufferSize = 64 * 1024;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The next state after a bracket or comma. */
const transitions: Readonly<Record<State, ReadonlyMap<number, State>>> = {
  start: new Map([[openBrace, "member"]]),
  member: new Map([[closeBrace, "end"]]),
  "after member": new Map([
    [comma, "member"],
    [closeBrace, "end"],
  ]),
  item: new Map([[closeBracket, "after member"]]),
  "after item": new Map([
    [comma, "item"],
    [closeBracket, "after member"],
  ]),
  end: new Map(),
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
    return unexpected(bytes, start);
  }
}

function unexpected(bytes: Buffer, at: number): never {
  const text = bytes.toString("utf8", at, at + 200);
  throw new NotAListError(JSON.stringify(text));
}
