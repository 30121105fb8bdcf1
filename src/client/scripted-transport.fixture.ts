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

/** A reply to one request. An object is sent as JSON, a string unchanged. */
export interface Reply {
  /** @default 200 */
  readonly status?: number | undefined;
  readonly headers?: ResponseHeaders | undefined;
  readonly body?: unknown;
}

/** One step of a script. */
export type Scripted = Reply | Promise<Reply> | Error | Stream;

/** A received request, without its signal. */
export type Arrived = Omit<ApiRequest, "signal">;

/**
 * A transport that returns scripted replies in order and records the requests. It throws an `Error`, opens a `Stream`
 * and awaits a promise. A request without a scripted reply fails.
 */
export class ScriptedTransport implements Transport {
  readonly server = "https://scripted:6443";
  readonly requests: Arrived[] = [];
  readonly #replies: Scripted[];
  closed = false;

  constructor(...replies: readonly Scripted[]) {
    this.#replies = [...replies];
  }

  /** Method and path of each request so far. */
  get lines(): string[] {
    return this.requests.map(({ method, path }) => `${method} ${path}`);
  }

  /** The last request's body, parsed. */
  get sent(): unknown {
    return JSON.parse(String(this.requests.at(-1)?.body));
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    const reply = await this.#next(request);
    if (reply instanceof Stream) throw new Error(`expected ${request.path} to be opened, got it sent`);
    const { status = 200, headers = {} } = reply;
    return { status, headers, body: Buffer.from(textOf(reply)) };
  }

  async open(request: ApiRequest): Promise<OpenResponse> {
    const reply = await this.#next(request);
    const stream = reply instanceof Stream ? reply : wholeStream(reply);
    stream.begin(request.signal);
    return stream;
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  #next({ signal, ...request }: ApiRequest): Exclude<Scripted, Error> {
    signal?.throwIfAborted();
    this.requests.push(request);
    const reply = this.#replies.shift();
    if (!reply) throw new Error(`expected no request, got ${request.method} ${request.path}`);
    if (reply instanceof Error) throw reply;
    return reply;
  }
}

/** An opened response whose body the test writes in chunks. */
export class Stream implements OpenResponse {
  readonly status: number;
  readonly headers: ResponseHeaders = {};
  readonly #pieces: ((receiver: Receiver) => void)[] = [];
  #receiver: Receiver | undefined;
  #signal: Disposable | undefined;
  paused = false;
  closed = false;

  constructor(status = 200) {
    this.status = status;
  }

  begin(signal: AbortSignal | undefined): void {
    this.#signal = onAbort(signal, (reason) => this.#finish((receiver) => receiver.onError(asError(reason))));
  }

  /** Writes one line of JSON for each value. */
  lines(...values: readonly unknown[]): void {
    this.text(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
  }

  text(text: string): void {
    this.bytes(Buffer.from(text));
  }

  /** Delivers bytes that are valid only during the call, as real transports do. */
  bytes(chunk: Buffer): void {
    const reused = Buffer.from(chunk);
    this.#deliver((receiver) => {
      receiver.onChunk(reused);
      reused.fill("?");
    });
  }

  end(): void {
    this.#deliver((receiver) => this.#finish(() => receiver.onEnd()));
  }

  /** Breaks the connection. */
  cut(): void {
    const request = { method: "GET", path: "/" } as const;
    const error = new ConnectionError("expected more, got a reset", { code: "ECONNRESET", request });
    this.#deliver((receiver) => this.#finish(() => receiver.onError(error)));
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
    this.#flush();
  }

  close(): void {
    this.closed = true;
    this.#signal?.[Symbol.dispose]();
  }

  #deliver(piece: (receiver: Receiver) => void): void {
    this.#pieces.push(piece);
    this.#flush();
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

function wholeStream(reply: Reply): Stream {
  const stream = new Stream(reply.status);
  stream.text(textOf(reply));
  stream.end();
  return stream;
}

function textOf({ body = {} }: Reply): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** Returns a failed response with a `Status` as kube-apiserver sends it. */
export function refused(code: number, reason: string, details?: object): Reply {
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "no",
    reason,
    code,
  };
  return { status: code, body: { ...status, ...(details && { details }) } };
}
