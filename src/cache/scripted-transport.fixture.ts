import { asError, onAbort } from "../base/index.ts";
import {
  type ApiRequest,
  type ApiResponse,
  ConnectionError,
  type OpenResponse,
  type Receiver,
  type ResponseHeaders,
  type Transport,
} from "../transport/index.ts";

/** An answer that comes whole: an object is sent as JSON, a text as it is. */
export interface Reply {
  /** @default 200 */
  readonly status?: number | undefined;
  readonly headers?: ResponseHeaders | undefined;
  readonly body: unknown;
}

/** What stands for an answer in a script: an error is thrown, `"never"` is a server that takes a request and is silent. */
export type Scripted = Reply | Error | Stream | "never";

/** Gives prepared answers in turn and keeps the requests; who asks for more gets a stream in which nothing comes. */
export class ScriptedTransport implements Transport {
  readonly server = "https://scripted:6443";
  /** Paths with queries. */
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
    if (reply === "never") return this.#comesLate();
    const stream = reply instanceof Stream ? reply : wholeStream(reply);
    this.streams.push(stream);
    stream.begin(request.signal);
    return stream;
  }

  async #comesLate(): Promise<Stream> {
    await new Promise<void>((resolve) => void this.#late.push(resolve));
    const stream = new Stream();
    this.streams.push(stream);
    return stream;
  }

  /** What was never answered is answered after all, also to those who have gone. */
  async answerLate(): Promise<void> {
    for (const answer of this.#late.splice(0)) answer();
  }

  send(request: ApiRequest): Promise<ApiResponse> {
    throw new Error(`expected ${request.path} to be opened, got it sent`);
  }

  async close(): Promise<void> {}
}

/** An opened answer whose body the test writes, piece by piece, whenever it likes. */
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

  /** One line of JSON for each value. */
  lines(...values: readonly unknown[]): this {
    return this.text(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  }

  text(text: string): this {
    return this.bytes(Buffer.from(text));
  }

  /** One chunk. Its bytes are overwritten once the receiver has had them, as a socket's buffer is. */
  bytes(chunk: Buffer): this {
    return this.#deliver((receiver) => {
      receiver.onChunk(chunk);
      chunk.fill("?");
    });
  }

  end(): this {
    return this.#deliver((receiver) => this.#finish(() => receiver.onEnd()));
  }

  /** The connection breaks. */
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
      this.#hand(piece, this.#receiver);
    }
  }

  #hand(piece: (receiver: Receiver) => void, receiver: Receiver): void {
    try {
      piece(receiver);
    } catch (error) {
      this.#finish(() => receiver.onError(asError(error)));
    }
  }

  #finish(tell: (receiver: Receiver) => void): void {
    if (this.closed) return;
    this.close();
    if (this.#receiver) tell(this.#receiver);
  }
}

function wholeStream({ status, headers, body }: Reply): Stream {
  return new Stream(status, headers).text(typeof body === "string" ? body : JSON.stringify(body)).end();
}

/** A connection that was lost, or could not be had. */
export function lost(code: string): ConnectionError {
  return new ConnectionError(`expected an answer, got ${code}`, {
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

/** A server's words about a failure. */
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

/** A server's refusal. */
export function refused(refusal: Refusal): Reply {
  return { status: refusal.code, body: status(refusal) };
}
