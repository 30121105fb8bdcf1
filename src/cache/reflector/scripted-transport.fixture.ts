import { asError, onAbort } from "../../base/index.ts";
import {
  type ApiRequest,
  type ApiResponse,
  ConnectionError,
  type OpenResponse,
  type Receiver,
  type ResponseHeaders,
  type Transport,
} from "../../transport/index.ts";

/** A complete response. An object is sent as JSON, a string as it is. */
export interface Reply {
  /** @default 200 */
  readonly status?: number | undefined;
  readonly headers?: ResponseHeaders | undefined;
  readonly body: unknown;
}

/** A response in a script: an error is thrown; `"never"` is a server that accepts a request and does not respond. */
export type Scripted = Reply | Error | Stream | "never";

/** Returns prepared responses in order, then silent streams. Records the requests. */
export class ScriptedTransport implements Transport {
  readonly server = "https://scripted:6443";
  /** Paths of the requests, with queries. */
  readonly paths: string[] = [];
  /** Every stream that was opened, in order. */
  readonly streams: Stream[] = [];
  readonly #replies: Scripted[];
  readonly #late: (() => void)[] = [];

  constructor(...replies: readonly Scripted[]) {
    this.#replies = [...replies];
  }

  prepare(...replies: readonly Scripted[]): void {
    this.#replies.push(...replies);
  }

  async open(request: ApiRequest): Promise<OpenResponse> {
    request.signal?.throwIfAborted();
    this.paths.push(request.path);
    const reply = this.#replies.shift() ?? new Stream();
    if (reply instanceof Error) throw reply;
    if (reply === "never") return this.#lateStream();
    const stream = reply instanceof Stream ? reply : completeStream(reply);
    this.streams.push(stream);
    stream.begin(request.signal);
    return stream;
  }

  async #lateStream(): Promise<Stream> {
    await new Promise<void>((resolve) => void this.#late.push(resolve));
    const stream = new Stream();
    this.streams.push(stream);
    return stream;
  }

  /** Responds to the requests that had no response, including aborted ones. */
  async respondLate(): Promise<void> {
    for (const respond of this.#late.splice(0)) respond();
  }

  send(request: ApiRequest): Promise<ApiResponse> {
    throw new Error(`expected open(${request.path}), got send`);
  }

  async close(): Promise<void> {}
}

/** A streaming response. The test writes its body piece by piece. */
export class Stream implements OpenResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly #pieces: ((receiver: Receiver) => void)[] = [];
  #receiver: Receiver | undefined;
  #signal: Disposable | undefined;
  paused = false;
  closed = false;

  constructor(status = 200, headers: ResponseHeaders = {}) {
    this.status = status;
    this.headers = headers;
  }

  begin(signal: AbortSignal | undefined): void {
    this.#signal = onAbort(signal, (reason) => this.#finish((receiver) => receiver.onError(asError(reason))));
  }

  /** Sends one line of JSON for each value. */
  lines(...values: readonly unknown[]): this {
    return this.text(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  }

  text(text: string): this {
    return this.bytes(Buffer.from(text));
  }

  /** Sends one chunk. Its bytes are overwritten after the receiver returns, like the buffer of a socket. */
  bytes(chunk: Buffer): this {
    return this.#deliver((receiver) => {
      receiver.onChunk(chunk);
      chunk.fill("?");
    });
  }

  end(): this {
    return this.#deliver((receiver) => this.#finish(() => receiver.onEnd()));
  }

  /** Breaks the connection. */
  cut(): this {
    return this.#deliver((receiver) => this.#finish(() => receiver.onError(lost("ECONNRESET"))));
  }

  receive(receiver: Receiver): void {
    queueMicrotask(() => {
      this.#receiver = receiver;
      this.#flush();
    });
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    queueMicrotask(() => this.#flush());
  }

  close(): void {
    this.closed = true;
    this.#signal?.[Symbol.dispose]();
  }

  #deliver(piece: (receiver: Receiver) => void): this {
    this.#pieces.push(piece);
    this.#flush();
    return this;
  }

  #flush(): void {
    while (this.#receiver && !this.paused && !this.closed) {
      const piece = this.#pieces.shift();
      if (!piece) return;
      this.#pass(piece, this.#receiver);
    }
  }

  #pass(piece: (receiver: Receiver) => void, receiver: Receiver): void {
    try {
      piece(receiver);
    } catch (error) {
      this.#finish(() => receiver.onError(asError(error)));
    }
  }

  #finish(notify: (receiver: Receiver) => void): void {
    if (this.closed) return;
    this.close();
    if (this.#receiver) notify(this.#receiver);
  }
}

function completeStream({ status, headers, body }: Reply): Stream {
  return new Stream(status, headers).text(typeof body === "string" ? body : JSON.stringify(body)).end();
}

/** Returns the error of a connection that was lost or could not be established. */
export function lost(code: string): ConnectionError {
  return new ConnectionError(`expected a response, got ${code}`, {
    code,
    request: { method: "GET", path: "/" },
  });
}

export interface Refusal {
  readonly code: number;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly details?: object | undefined;
}

/** Returns the `Status` of a failure. */
export function status({ code, reason = "", message = "no", details }: Refusal): object {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    code,
    details,
  };
}

/** Returns a response that refuses the request. */
export function refused(refusal: Refusal): Reply {
  return { status: refusal.code, body: status(refusal) };
}
