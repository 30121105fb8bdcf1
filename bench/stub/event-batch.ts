import type { Collection } from "./collection.ts";

/** Bytes collected before they are written: many small writes would cost more than the events. */
const batchBytes = 256 * 1024;
/** More than any frame has besides its object: chunk size, event head, object opening, end marks. */
const frameSlack = 1024;

/**
 * Watch events in one reused buffer, each in an HTTP chunk of its own where `chunked`.
 *
 * The bytes belong to the batch: they must be on their way before `clear`.
 */
export class EventBatch {
  readonly #collection: Collection;
  readonly #chunked: boolean;
  readonly #buffer: Buffer;
  readonly #heads: Readonly<Record<"ADDED" | "MODIFIED", Buffer>>;
  readonly #sent = Buffer.alloc(16, "0");
  #end = 0;

  constructor(collection: Collection, options: { readonly chunked: boolean }) {
    this.#collection = collection;
    this.#chunked = options.chunked;
    this.#buffer = Buffer.allocUnsafeSlow(batchBytes + longest(collection.rest) + frameSlack);
    this.#heads = { ADDED: head("ADDED", collection), MODIFIED: head("MODIFIED", collection) };
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#end);
  }

  get full(): boolean {
    return this.#end >= batchBytes;
  }

  clear(): void {
    this.#end = 0;
  }

  /** Sets the time that events added from here on are said to be sent. */
  stamp(us: number): void {
    this.#sent.write(String(us), 0, "latin1");
  }

  /** An object as it stands: what a watch with initial events begins with. */
  addInitial(index: number): void {
    this.#add(this.#heads.ADDED, index);
  }

  addModified(index: number, resourceVersion: number): void {
    const at = this.#add(this.#heads.MODIFIED, index);
    writeDigits(this.#buffer, at + (this.#collection.versionAt[index] ?? 0), resourceVersion);
    this.#buffer.set(this.#sent, at + (this.#collection.sentAt[index] ?? 0));
  }

  addBookmark(resourceVersion: number, annotations = ""): void {
    const { kind, apiVersion } = this.#collection.template;
    const metadata = `{"resourceVersion":"${resourceVersion}","creationTimestamp":null${annotations}}`;
    const text = `{"type":"BOOKMARK","object":{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":${metadata}}}\n`;
    const at = this.#openChunk(text.length);
    this.#closeChunk(at + this.#buffer.write(text, at, "latin1"));
  }

  /** Copies an event and says where the object's `rest` begins. */
  #add(head: Buffer, index: number): number {
    const rest = this.#collection.rest[index];
    if (rest === undefined)
      throw new RangeError(`expected an object below ${this.#collection.count}, got ${index}`);
    let at = this.#openChunk(head.length + rest.length + 2);
    this.#buffer.set(head, at);
    const restAt = at + head.length;
    this.#buffer.set(rest, restAt);
    at = restAt + rest.length;
    this.#buffer[at++] = brace;
    this.#buffer[at++] = newline;
    this.#closeChunk(at);
    return restAt;
  }

  #openChunk(length: number): number {
    if (!this.#chunked) return this.#end;
    return this.#end + this.#buffer.write(`${length.toString(16)}\r\n`, this.#end, "latin1");
  }

  #closeChunk(end: number): void {
    let at = end;
    if (this.#chunked) {
      this.#buffer[at++] = carriageReturn;
      this.#buffer[at++] = newline;
    }
    this.#end = at;
  }
}

const newline = 10;
const carriageReturn = 13;
const brace = 125;
const zero = 48;

function head(type: string, { opening }: Collection): Buffer {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), opening]);
}

/** Ten digits, last first. The number fits in 31 bits, which keeps the division one of integers. */
function writeDigits(target: Buffer, at: number, value: number): void {
  let left = value | 0;
  for (let place = at + 9; place >= at; place--) {
    const tenth = (left / 10) | 0;
    target[place] = zero + left - tenth * 10;
    left = tenth;
  }
}

function longest(all: readonly Uint8Array[]): number {
  return all.reduce((most, { length }) => Math.max(most, length), 0);
}
