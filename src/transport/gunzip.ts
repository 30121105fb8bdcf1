import { createGunzip, type Gunzip } from "node:zlib";
import { asError } from "../base/index.ts";
import type { OpenResponse, Receiver, ResponseHeaders } from "./transport.ts";

/** Decoded chunks have at most this many bytes. */
const chunkSize = 64 * 1024;

/** Returns a stream that decodes gzip on a thread of its own, so that the event loop only hands bytes over. */
export function gunzipStream(): Gunzip {
  return createGunzip({ chunkSize });
}

export function isGzip(headers: ResponseHeaders): boolean {
  return headers["content-encoding"] === "gzip";
}

/** Returns the headers of the decoded body: its encoding is gone, and its length is not known. */
export function decodedHeaders(headers: ResponseHeaders): ResponseHeaders {
  const { "content-encoding": _encoding, "content-length": _length, ...others } = headers;
  return others;
}

/**
 * Decodes the body of a response in gzip as it arrives. Memory is bounded: the network is not read while the decoder is
 * full or the reader has paused.
 */
export class GunzippedResponse implements OpenResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly #response: OpenResponse;
  readonly #describe: (error: Error) => Error;
  readonly #gunzip: Gunzip = gunzipStream();
  #receiver: Receiver | undefined;
  /** The reader has paused. The network is paused then too. */
  #paused = false;
  /** The decoder takes no more for now, and the network is paused until it does. */
  #full = false;
  /** A failure to decode that came while the reader had paused. */
  #failure: Error | undefined;
  #over = false;

  /** @param describe makes a failure to decode an error that names the request */
  constructor(response: OpenResponse, describe: (error: Error) => Error) {
    this.status = response.status;
    this.headers = decodedHeaders(response.headers);
    this.#response = response;
    this.#describe = describe;
  }

  receive(receiver: Receiver): void {
    if (this.#receiver || this.#over) return;
    this.#receiver = receiver;
    this.#gunzip
      .on("drain", () => this.#drained())
      .on("data", (chunk: Buffer) => this.#deliver(receiver, chunk))
      .on("end", () => this.#finish(() => receiver.onEnd()))
      .on("error", (error) => this.#fail(receiver, this.#describe(error)));
    this.#response.receive({
      onChunk: (chunk) => this.#decode(chunk),
      onEnd: () => void this.#gunzip.end(),
      onError: (error) => this.#finish(() => receiver.onError(error)),
    });
    if (this.#paused) this.#gunzip.pause();
  }

  pause(): void {
    this.#paused = true;
    if (this.#receiver) this.#gunzip.pause();
    this.#response.pause();
  }

  resume(): void {
    this.#paused = false;
    if (this.#failure && this.#receiver) return this.#fail(this.#receiver, this.#failure);
    if (this.#receiver) this.#gunzip.resume();
    if (!this.#full) this.#response.resume();
  }

  close(): void {
    this.#finish(() => {});
    this.#response.close();
  }

  /** Copies the chunk, which is only valid until this returns. */
  #decode(chunk: Buffer): void {
    if (this.#over || this.#gunzip.write(Buffer.from(chunk))) return;
    this.#full = true;
    this.#response.pause();
  }

  #drained(): void {
    this.#full = false;
    if (!this.#paused) this.#response.resume();
  }

  #deliver(receiver: Receiver, chunk: Buffer): void {
    if (this.#over) return;
    try {
      receiver.onChunk(chunk);
    } catch (thrown) {
      this.#response.close();
      this.#finish(() => receiver.onError(asError(thrown)));
    }
  }

  #fail(receiver: Receiver, error: Error): void {
    this.#response.close();
    if (this.#paused) this.#failure = error;
    else this.#finish(() => receiver.onError(error));
  }

  #finish(notify: () => void): void {
    if (this.#over) return;
    this.#over = true;
    this.#gunzip.destroy();
    notify();
  }
}
