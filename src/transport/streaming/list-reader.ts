import type { ListMeta } from "../../api/index.ts";
import { ApiError } from "../api-error.ts";
import { GrowingBuffer } from "../json/growing-buffer.ts";
import { endOfValue, nowhere } from "../json/json-walk.ts";
import type { ApiRequest } from "../transport.ts";
import { connectionError } from "./consume-body.ts";

/**
 * Reads the item at `start`. Throws a `SyntaxError` if it is not JSON.
 * @returns the offset of its end, or a negative number if the bytes end before it
 */
export type OnItem = (bytes: Buffer, start: number) => number;

export interface ListReaderOptions {
  /** The request of the list, for errors. */
  readonly request: Pick<ApiRequest, "method" | "path">;
  readonly onItem: OnItem;
  /** Called when the metadata of the list has arrived, which is before the items in lists of API servers. */
  readonly onMetadata?: ((metadata: ListMeta) => void) | undefined;
}

/**
 * Splits the body of a list into its items as it arrives, with its fields in any order and any white space between
 * them. So reading overlaps the transfer, and no long step blocks the event loop.
 *
 * It buffers only the item that is still incomplete, and scans each byte at most twice, however many chunks an item
 * spans. It throws an `ApiError` with the reason `InvalidResponse` if the body is not a list.
 */
export class ListReader {
  readonly #options: ListReaderOptions;
  #state: State = "start";
  /** Contains the bytes that are not processed yet. */
  readonly #buffer = new GrowingBuffer({ minBytes: 64 * 1024 });
  /** Buffered bytes from which on another scan is worth it: twice as many as after the last one, and `minScanBytes`. */
  #scanFrom = 0;
  #kind: string | undefined;
  #hasItems = false;
  #metadata: ListMeta = {};

  constructor(options: ListReaderOptions) {
    this.#options = options;
  }

  /** Processes the next chunk. Its memory may be reused afterwards. */
  push(chunk: Buffer): void {
    const buffer = this.#buffer;
    if (buffer.length === 0) {
      const read = this.#read(chunk);
      if (read < chunk.length) buffer.append(chunk, read);
    } else {
      buffer.append(chunk);
      if (buffer.length >= this.#scanFrom) buffer.drop(this.#read(buffer.bytes));
    }
    if (buffer.length > maxItemBytes)
      throw this.#notAList(`an item of more than ${maxItemBytes} bytes; ${hint}`);
  }

  /** Ends the body. Returns the metadata of the list. Throws a `ConnectionError` if the list is incomplete. */
  end(): ListMeta {
    this.#read(this.#buffer.bytes);
    if (this.#state !== "end")
      throw connectionError(this.#options.request, "an end in the middle of a list", "LIST_BROKEN");
    if (this.#hasItems) return this.#metadata;
    throw this.#notAList(this.#kind === undefined ? "an object without a kind" : `a ${this.#kind}`);
  }

  /** Processes complete tokens. @returns the number of bytes that it has processed */
  #read(bytes: Buffer): number {
    let at = 0;
    for (let next = 0; next !== nowhere; next = this.#step(bytes, afterSpace(bytes, at))) at = next;
    this.#scanFrom = Math.max(2 * (bytes.length - at), minScanBytes);
    return at;
  }

  /** Processes the next token and returns its end, or `nowhere` if it is incomplete. */
  #step(bytes: Buffer, at: number): number {
    const byte = bytes[at];
    if (byte === undefined) return nowhere;
    const next = transitions[this.#state].get(byte);
    if (next) return this.#enter(next, at + 1);
    switch (this.#state) {
      case "first item":
      case "item":
        return this.#item(bytes, at);
      case "first member":
      case "member":
        return this.#member(bytes, at);
      default:
        return this.#unexpected(bytes, at);
    }
  }

  #enter(state: State, at: number): number {
    this.#state = state;
    return at;
  }

  #item(bytes: Buffer, at: number): number {
    if (isEnd(bytes[at])) return this.#unexpected(bytes, at);
    let end: number;
    try {
      end = this.#options.onItem(bytes, at);
    } catch (error) {
      if (error instanceof SyntaxError) return this.#unexpected(bytes, at);
      throw error;
    }
    return end < 0 ? nowhere : this.#enter("after item", end);
  }

  #member(bytes: Buffer, at: number): number {
    if (bytes[at] !== quote) return this.#unexpected(bytes, at);
    const keyEnd = endOfValue(bytes, at);
    const colonAt = keyEnd < 0 ? bytes.length : afterSpace(bytes, keyEnd);
    const value = afterSpace(bytes, colonAt + 1);
    if (value >= bytes.length) return nowhere;
    if (bytes[colonAt] !== colon || isEnd(bytes[value])) return this.#unexpected(bytes, colonAt);
    const key = this.#parsed(bytes, at, keyEnd);
    if (key === "items") this.#hasItems = true;
    if (key === "items" && bytes[value] === openBracket) return this.#enter("first item", value + 1);
    const end = endOfValue(bytes, value);
    if (end < 0) return nowhere;
    this.#field(key, this.#parsed(bytes, value, end));
    return this.#enter("after member", end);
  }

  #field(key: unknown, value: unknown): void {
    if (key === "kind") this.#kind = String(value);
    if (key !== "metadata") return;
    this.#metadata = (value ?? {}) as ListMeta; // servers send these fields
    this.#options.onMetadata?.(this.#metadata);
  }

  #parsed(bytes: Buffer, start: number, end: number): unknown {
    try {
      return JSON.parse(bytes.toString("utf8", start, end));
    } catch {
      return this.#unexpected(bytes, start);
    }
  }

  #unexpected(bytes: Buffer, at: number): never {
    throw this.#notAList(`${JSON.stringify(bytes.toString("utf8", at, at + 200))}; ${hint}`);
  }

  #notAList(got: string): ApiError {
    return notAListError(this.#options.request, got);
  }
}

/** Returns the error of a response that is not a list. */
export function notAListError(request: Pick<ApiRequest, "method" | "path">, got: string): ApiError {
  const message = `expected a list from ${request.method} ${request.path}, got ${got}`;
  return new ApiError(message, { code: 200, reason: "InvalidResponse", request });
}

/** The next token that is expected. After a comma, another member or item has to follow. */
type State =
  | "start"
  | "first member"
  | "member"
  | "after member"
  | "first item"
  | "item"
  | "after item"
  | "end";

/** Small chunks are read together, because each read scans the beginning of an incomplete item in vain. */
const minScanBytes = 64 * 1024;
/** More than an API server stores in one object. */
const maxItemBytes = 64 * 1024 * 1024;
const hint = "is that address a Kubernetes API server?";
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** The next state after a bracket or comma. */
const transitions: Readonly<Record<State, ReadonlyMap<number, State>>> = {
  start: new Map([[openBrace, "first member"]]),
  "first member": new Map([[closeBrace, "end"]]),
  member: new Map(),
  "after member": new Map([
    [comma, "member"],
    [closeBrace, "end"],
  ]),
  "first item": new Map([[closeBracket, "after member"]]),
  item: new Map(),
  "after item": new Map([
    [comma, "item"],
    [closeBracket, "after member"],
  ]),
  end: new Map(),
};

/** Returns true for a byte that ends a value, and so cannot begin one. */
function isEnd(byte: number | undefined): boolean {
  return byte === comma || byte === closeBracket || byte === closeBrace;
}

function afterSpace(bytes: Buffer, at: number): number {
  let next = at;
  for (let byte = bytes[next]; byte === 0x20 || (byte !== undefined && byte <= 0x0d); byte = bytes[next])
    next += 1;
  return next;
}
