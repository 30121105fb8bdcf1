import {
  bodyBytes,
  bodyChunks,
  type Handler,
  joinedHeaders,
  parseRequestTarget,
  type ServerRequest,
  type ServerResponse,
  type Sink,
  type UserInfo,
} from "../apiserver/index.ts";
import { asError, follow } from "../base/index.ts";
import {
  type ApiRequest,
  type ApiResponse,
  ConnectionError,
  type OpenResponse,
  type Receiver,
  type Transport,
} from "../transport/index.ts";

export interface InProcessOptions {
  /** Who the requests come from. */
  readonly user: UserInfo;
  /** For messages. @default "http://in-process" */
  readonly server?: string | undefined;
}

/**
 * The way to an API server in this process: no socket, no port, the same bytes.
 *
 * A body's pieces reach their receiver in a later turn, never in the middle of the write that caused them.
 */
export function inProcessTransport(handler: Handler, options: InProcessOptions): Transport {
  const { user, server = "http://in-process" } = options;
  const ended = new AbortController();
  const ask = async (request: ApiRequest): Promise<Asked> => {
    request.signal?.throwIfAborted();
    request.beforeSend?.();
    const gone = new AbortController();
    const outer = [request.signal, ended.signal].map((signal) =>
      follow(signal, (reason) => gone.abort(reason)),
    );
    const answer = await handler.handle(serverRequest(request, { user, signal: gone.signal }));
    const release = (): void => {
      for (const held of outer) held[Symbol.dispose]();
    };
    if (answer.type !== "cut") return { answer, gone, release, broken: () => brokenOff(request, server) };
    release();
    request.signal?.throwIfAborted();
    throw brokenOff(request, server);
  };
  return {
    server,
    async send(request) {
      const asked = await ask(request);
      try {
        request.signal?.throwIfAborted();
        return await whole(asked);
      } finally {
        asked.release();
      }
    },
    async open(request) {
      const asked = await ask(request);
      return new InProcessBody(asked);
    },
    async close() {
      ended.abort(new Error("the transport is closed"));
    },
  };
}

interface Asked {
  readonly answer: ServerResponse;
  /** Aborted when the client side is gone. */
  readonly gone: AbortController;
  readonly release: () => void;
  /** What a receiver is told when the connection is cut. */
  readonly broken: () => ConnectionError;
}

/** What a client over HTTP is told when the other side closes. */
function brokenOff(request: ApiRequest, server: string): ConnectionError {
  const { method, path } = request;
  const code = "UND_ERR_SOCKET";
  const message = `expected an answer to ${method} ${path} from ${server}, got ${code} (other side closed)`;
  return new ConnectionError(message, { code, request });
}

function serverRequest(request: ApiRequest, who: Pick<ServerRequest, "user" | "signal">): ServerRequest {
  const { body = "" } = request;
  const bytes =
    typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
  return {
    method: request.method,
    ...parseRequestTarget(request.path),
    headers: joinedHeaders(Object.entries(request.headers ?? {})),
    body: bytes,
    ...who,
  };
}

function whole({ answer, gone, broken }: Asked): Promise<ApiResponse> {
  const { status } = answer;
  const headers = receivedHeaders(answer);
  if (answer.type === "buffered") {
    return Promise.resolve({ status, headers, body: bodyBytes(answer.body) });
  }
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    follow(gone.signal, (reason) => reject(asError(reason)));
    answer.start({
      write: (chunk) => chunks.push(chunk) > 0,
      onDrain: () => {},
      end: () => resolve({ status, headers, body: Buffer.concat(chunks) }),
      cut: () => reject(broken()),
    });
  });
}

/** As they come over a network: what was sent once is no list. */
function receivedHeaders({ headers }: ServerResponse): OpenResponse["headers"] {
  const received = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value !== "string" && value.length === 1 ? value[0] : value,
  ]);
  return Object.fromEntries(received);
}

/** An opened answer: holds what came while nobody took it. */
class InProcessBody implements OpenResponse, Sink {
  readonly status: number;
  readonly headers: OpenResponse["headers"];
  readonly #asked: Asked;
  #receiver: Receiver | undefined;
  #waiting: Buffer[] = [];
  #paused = false;
  /** How it ended: the last that its receiver is told. */
  #end: ((receiver: Receiver) => void) | undefined;
  #delivering = false;
  #drained: (() => void) | undefined;

  constructor(asked: Asked) {
    this.#asked = asked;
    this.status = asked.answer.status;
    this.headers = receivedHeaders(asked.answer);
    follow(asked.gone.signal, (reason) => this.#finish((receiver) => receiver.onError(asError(reason))));
    this.#start(asked.answer);
  }

  receive(receiver: Receiver): void {
    this.#receiver = receiver;
    this.#deliverSoon();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#deliverSoon();
  }

  close(): void {
    this.#receiver = undefined;
    this.#end = () => {};
    this.#asked.release();
    this.#asked.gone.abort(new Error("closed by its reader"));
  }

  write(chunk: Buffer): boolean {
    this.#waiting.push(chunk);
    this.#deliverSoon();
    return !this.#paused;
  }

  onDrain(listener: () => void): void {
    this.#drained = listener;
  }

  end(): void {
    this.#finish((receiver) => receiver.onEnd());
  }

  cut(): void {
    this.#finish((receiver) => receiver.onError(this.#asked.broken()));
  }

  #start(answer: ServerResponse): void {
    if (answer.type === "stream") return answer.start(this);
    for (const chunk of bodyChunks(answer.body)) this.write(chunk);
    this.end();
  }

  #deliverSoon(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    queueMicrotask(() => {
      this.#delivering = false;
      this.#deliver();
    });
  }

  #deliver(): void {
    while (this.#receiver && !this.#paused && this.#waiting.length > 0) {
      this.#hand(this.#receiver, Buffer.concat(this.#waiting.splice(0)));
    }
    const receiver = this.#receiver;
    if (!receiver || this.#paused) return;
    if (!this.#end) return this.#drained?.();
    this.#receiver = undefined;
    this.#asked.release();
    this.#end(receiver);
  }

  /** What a receiver throws ends the answer, and is what it is told. */
  #hand(receiver: Receiver, chunk: Buffer): void {
    try {
      receiver.onChunk(chunk);
    } catch (thrown) {
      this.#waiting = [];
      this.#end = () => receiver.onError(asError(thrown));
      this.#asked.gone.abort(thrown);
    }
  }

  /** No more comes: what has come is delivered first, and then `end`. */
  #finish(end: (receiver: Receiver) => void): void {
    this.#end ??= end;
    this.#deliverSoon();
  }
}
