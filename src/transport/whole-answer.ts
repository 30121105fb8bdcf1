import type { IncomingHttpHeaders } from "node:http";
import type { Gunzip } from "node:zlib";
import type { Dispatcher } from "undici";
import { asError } from "../base/index.ts";
import { decodedHeaders, gunzipStream, isGzip } from "./gunzip.ts";
import type { Line } from "./line.ts";
import type { ApiRequest, ApiResponse, BodyReader, ResponseHeaders } from "./transport.ts";

export interface WholeAnswerOptions {
  /** No more is taken. */
  readonly maxBytes: number;
  /** Asked before anything is sent. */
  readonly permit: ApiRequest["permit"];
  readonly reader?: ApiRequest["reader"];
  /** Gzip was requested: a body in gzip is decoded. */
  readonly gunzip: boolean;
}

/** Gathers one answer from undici. `response` settles once, also when aborted before a connection stood. */
export class WholeAnswer implements Dispatcher.DispatchHandler {
  readonly response: Promise<ApiResponse>;
  readonly #maxBytes: number;
  readonly #permit: ApiRequest["permit"];
  readonly #newReader: ApiRequest["reader"];
  /** Takes the chunks, if there is one. */
  #reader: BodyReader | undefined;
  /** Decodes the body, if it is in gzip. */
  readonly #decodes: boolean;
  #gunzip: Gunzip | undefined;
  readonly #chunks: Buffer[] = [];
  /** Bytes received, before they are decoded. */
  #received = 0;
  /** Bytes of the body. */
  #bytes = 0;
  #status = 0;
  #headers: ResponseHeaders = {};
  #line: Line | undefined;
  /** Whether the line is ours: from when the request is sent until the answer is whole. */
  #running = false;
  #aborted: Error | undefined;
  /** Why it was not permitted to leave. */
  refusal: Error | undefined;
  #resolve!: (response: ApiResponse) => void; // both are set by the promise's executor, which runs at once
  #reject!: (error: Error) => void;

  constructor({ maxBytes, permit, reader, gunzip }: WholeAnswerOptions) {
    this.#maxBytes = maxBytes;
    this.#permit = permit;
    this.#newReader = reader;
    this.#decodes = gunzip;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  abort(reason: Error): void {
    this.#aborted = reason;
    this.#reject(reason);
    this.#gunzip?.destroy();
    if (this.#running) this.#line?.cut();
  }

  readonly onLine = (line: Line): void => {
    this.#line = line;
  };

  /** Throws what it was aborted with, or why it may not leave: nothing is sent then, and the connection is left to others. */
  onRequestStart(): void {
    if (this.#aborted) throw this.#aborted;
    this.refusal = refusalOf(this.#permit);
    if (this.refusal) throw this.refusal;
    this.#running = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (status === 200) this.#reader = this.#newReader?.();
    if (this.#decodes && isGzip(headers)) this.#gunzip = this.#decoder();
    else if (this.#reader) this.#line?.lend(true);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#aborted) return;
    this.#received += chunk.length;
    if (this.#received > this.#maxBytes) this.abort(tooLarge(this.#maxBytes));
    else if (!this.#gunzip) this.#take(chunk);
    else if (!this.#gunzip.write(chunk)) this.#line?.hold();
  }

  onResponseEnd(): void {
    this.#running = false;
    this.#line?.lend(false);
    if (!this.#gunzip) return this.#end();
    if (!this.#aborted) this.#gunzip.end();
    queueMicrotask(() => this.#line?.release()); // for the next request
  }

  #decoder(): Gunzip {
    this.#headers = decodedHeaders(this.#headers);
    return gunzipStream()
      .on("drain", () => this.#running && this.#line?.release())
      .on("data", (chunk: Buffer) => this.#take(chunk))
      .on("end", () => this.#end())
      .on("error", (error) => this.abort(error));
  }

  /** Takes the next bytes of the body. */
  #take(chunk: Buffer): void {
    if (this.#aborted) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) this.abort(tooLarge(this.#maxBytes));
    else if (this.#reader) this.#reader.push(chunk);
    else this.#chunks.push(chunk);
  }

  #end(): void {
    const [first = empty] = this.#chunks;
    const body = this.#chunks.length > 1 ? Buffer.concat(this.#chunks, this.#bytes) : first;
    this.#resolve({ status: this.#status, headers: this.#headers, body, bodyBytes: this.#bytes });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#running = false;
    this.#gunzip?.destroy();
    this.#reject(error);
  }
}

/** What `permit` throws. */
export function refusalOf(permit: ApiRequest["permit"]): Error | undefined {
  try {
    permit?.();
    return undefined;
  } catch (thrown) {
    return asError(thrown);
  }
}

const empty = Buffer.alloc(0);

function tooLarge(maxBytes: number): Error {
  const text = `a body of more than ${maxBytes} bytes; ask for less at a time, with a smaller pageSize`;
  return Object.assign(new Error(text), { code: "BODY_TOO_LARGE" });
}
