import type { Encoding, EventType } from "./encoding.ts";

/** Number of bytes to collect before a write: many small writes would cost more than the events. */
const batchBytes = 256 * 1024;
/** Upper bound of a frame without its object: chunk size, event head, object opening, end marks. */
const frameSlack = 1024;

/**
 * Watch events in one reused buffer, each in its own HTTP chunk if `chunked`.
 * The bytes belong to the batch and must be written before `clear`.
 */
export class EventBatch {
  readonly #encoding: Encoding;
  readonly #chunked: boolean;
  readonly #buffer: Buffer;
  readonly #sent = Buffer.alloc(16, "0");
  #end = 0;

  constructor(encoding: Encoding, options: { readonly chunked: boolean }) {
    this.#encoding = encoding;
    this.#chunked = options.chunked;
    this.#buffer = Buffer.allocUnsafeSlow(batchBytes + longest(encoding.objects) + frameSlack);
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

  /** Sets the send time of the events that are added next. */
  stamp(us: number): void {
    this.#sent.write(String(us), 0, "latin1");
  }

  /** Adds an object as an initial event of a watch. */
  addInitial(index: number): void {
    this.#add("ADDED", index);
  }

  addModified(index: number, resourceVersion: number): void {
    const at = this.#add("MODIFIED", index);
    writeDigits(this.#buffer, at + (this.#encoding.versionAt[index] ?? 0), resourceVersion);
    this.#buffer.set(this.#sent, at + (this.#encoding.sentAt[index] ?? 0));
  }

  addBookmark(resourceVersion: number, options: { readonly endsInitial: boolean }): void {
    const event = this.#encoding.bookmark(resourceVersion, options);
    const at = this.#openChunk(event.length);
    this.#buffer.set(event, at);
    this.#closeChunk(at + event.length);
  }

  /** Copies an event and returns the offset of the object. */
  #add(type: EventType, index: number): number {
    const object = this.#encoding.objects[index];
    if (object === undefined) throw new RangeError(`expected an object, got none at ${index}`);
    const { tail } = this.#encoding;
    const head = this.#encoding.head(type, index);
    const at = this.#openChunk(head.length + object.length + tail.length);
    this.#buffer.set(head, at);
    const objectAt = at + head.length;
    this.#buffer.set(object, objectAt);
    this.#buffer.set(tail, objectAt + object.length);
    this.#closeChunk(objectAt + object.length + tail.length);
    return objectAt;
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
const zero = 48;

/** Writes ten digits, last first. The number fits in 31 bits, so that the division stays an integer one. */
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
