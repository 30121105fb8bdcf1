import type { IncomingHttpHeaders } from "node:http";
import type { Gunzip } from "node:zlib";
import type { Dispatcher } from "undici";
import { asError, deferred } from "../../base/index.ts";
import type { ApiRequest, ApiResponse, BodyReader, ResponseHeaders } from "../transport.ts";
import { decodedHeaders, gunzipStream, isGzip } from "./gunzip.ts";

export interface BufferedResponseOptions {
  /** Limit of the body, both before and after decompression. A longer body fails the request. */
  readonly maxBytes: number;
  /** Called before anything is sent. If it throws, nothing is sent. */
  readonly beforeSend: ApiRequest["beforeSend"];
  readonly reader?: ApiRequest["reader"];
  /** True if gzip was requested, so that a gzip body is decompressed. */
  readonly gunzip: boolean;
}

/**
 * Collects one complete response from undici. `response` always settles, even when aborted before a connection is open.
 */
export class BufferedResponse implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #beforeSend: ApiRequest["beforeSend"];
  readonly #newReader: ApiRequest["reader"];
  /** Receives the chunks in place of `#chunks`, if the request has a reader. */
  #reader: BodyReader | undefined;
  /** True if a gzip body is to be decompressed. */
  readonly #decodes: boolean;
  #gunzip: Gunzip | undefined;
  readonly #chunks: Buffer[] = [];
  /** Bytes received, before decompression. */
  #received = 0;
  /** Bytes of the body, after decompression. */
  #bytes = 0;
  #status = 0;
  #headers: ResponseHeaders = {};
  /** Set while the request is running. */
  #controller: Dispatcher.DispatchController | undefined;
  #aborted: Error | undefined;
  /** The error of `beforeSend`, if it refused the request. */
  refusal: Error | undefined;
  readonly #settled = deferred<ApiResponse>();

  constructor({ maxBytes, beforeSend, reader, gunzip }: BufferedResponseOptions) {
    this.#maxBytes = maxBytes;
    this.#beforeSend = beforeSend;
    this.#newReader = reader;
    this.#decodes = gunzip;
  }

  get response(): Promise<ApiResponse> {
    return this.#settled.promise;
  }

  abort(reason: Error): void {
    this.#aborted = reason;
    this.#settled.reject(reason);
    this.#gunzip?.destroy();
    this.#controller?.abort(reason);
  }

  /**
   * Throws if the request was aborted or refused. Then nothing is sent, and the connection stays usable for other
   * requests.
   */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#aborted) throw this.#aborted;
    this.refusal = beforeSendError(this.#beforeSend);
    if (this.refusal) throw this.refusal;
    this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (status === 200) this.#reader = this.#newReader?.();
    if (this.#decodes && isGzip(headers)) this.#gunzip = this.#decoder();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#aborted) return;
    this.#received += chunk.length;
    if (this.#received > this.#maxBytes) this.abort(tooLarge(this.#maxBytes));
    else if (!this.#gunzip) this.#push(chunk);
    else this.#gunzip.write(chunk); // buffers up to `maxBytes`: undici must not be paused (nodejs/undici#5360)
  }

  onResponseEnd(): void {
    this.#controller = undefined;
    if (!this.#gunzip) this.#end();
    else if (!this.#aborted) this.#gunzip.end();
  }

  #decoder(): Gunzip {
    this.#headers = decodedHeaders(this.#headers);
    return gunzipStream()
      .on("data", (chunk: Buffer) => this.#push(chunk))
      .on("end", () => this.#end())
      .on("error", (error) => this.abort(error));
  }

  /** Adds the next bytes of the body. */
  #push(chunk: Buffer): void {
    if (this.#aborted) return;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) this.abort(tooLarge(this.#maxBytes));
    else if (this.#reader) this.#reader.push(chunk);
    else this.#chunks.push(chunk);
  }

  #end(): void {
    const [first = empty] = this.#chunks;
    const body = this.#chunks.length > 1 ? Buffer.concat(this.#chunks, this.#bytes) : first;
    this.#settled.resolve({ status: this.#status, headers: this.#headers, body, bodyBytes: this.#bytes });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#controller = undefined;
    this.#gunzip?.destroy();
    this.#settled.reject(error);
  }
}

/** Returns the error that `beforeSend` throws, or `undefined` if it does not throw. */
export function beforeSendError(beforeSend: ApiRequest["beforeSend"]): Error | undefined {
  try {
    beforeSend?.();
    return undefined;
  } catch (thrown) {
    return asError(thrown);
  }
}

const empty = Buffer.alloc(0);

function tooLarge(maxBytes: number): Error {
  const text = `a body of more than ${maxBytes} bytes; request less at a time, with a smaller pageSize`;
  return Object.assign(new Error(text), { code: "BODY_TOO_LARGE" });
}
