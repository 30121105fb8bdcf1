import { createGunzip, type Gunzip } from "node:zlib";
import { asError } from "../../base/index.ts";
import type { OpenResponse, Receiver, ResponseHeaders } from "../transport.ts";

/** Maximum size of a decompressed chunk. */
const chunkSize = 64 * 1024;

/** Returns a stream that decompresses gzip on a separate thread, so that the event loop only passes bytes on. */
export function gunzipStream(): Gunzip {
  return createGunzip({ chunkSize });
}

export function isGzip(headers: ResponseHeaders): boolean {
  return headers["content-encoding"] === "gzip";
}

/** Returns the headers of the decompressed body, without the encoding and the length. */
export function decodedHeaders(headers: ResponseHeaders): ResponseHeaders {
  const { "content-encoding": _encoding, "content-length": _length, ...others } = headers;
  return others;
}

/**
 * Decompresses a gzip body as it arrives. Memory is bounded: the network is not read while the decoder is full or the
 * receiver has paused.
 */
export class GunzippedResponse implements OpenResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly #response: OpenResponse;
  readonly #describe: (error: Error) => Error;
  readonly #gunzip: Gunzip = gunzipStream();
  #receiver: Receiver | undefined;
  /** True while the receiver has paused. The network is paused then, too. */
  #paused = false;
  /** True while the decoder is full. The network is paused until it drains. */
  #full = false;
  /** A decoding error that occurred while the receiver had paused. It is delivered on resume. */
  #failure: Error | undefined;
  #over = false;

  /** @param describe converts a decoding error to one that names the request */
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

  /** Writes a copy of the chunk to the decoder. The chunk itself is valid only until this returns. */
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
