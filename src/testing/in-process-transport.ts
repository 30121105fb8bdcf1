import type { Handler, ServerRequest, ServerResponse, Sink, UserInfo } from "../apiserver/index.ts";
import { asError, follow } from "../base/index.ts";
import type { ApiRequest, ApiResponse, OpenResponse, Receiver, Transport } from "../transport/index.ts";

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
    const gone = new AbortController();
    const outer = [request.signal, ended.signal].map((signal) =>
      follow(signal, (reason) => gone.abort(reason)),
    );
    const answer = await handler.handle(serverRequest(request, { user, signal: gone.signal }));
    const release = (): void => {
      for (const held of outer) held[Symbol.dispose]();
    };
    return { answer, gone, release };
  };
  return {
    server,
    async send(request) {
      const { answer, release } = await ask(request);
      try {
        request.signal?.throwIfAborted();
        return await whole(answer);
      } finally {
        release();
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
}

function serverRequest(request: ApiRequest, who: Pick<ServerRequest, "user" | "signal">): ServerRequest {
  const url = new URL(request.path, "http://localhost");
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    headers[name.toLowerCase()] = typeof value === "string" ? value : value.join(", ");
  }
  const { body = "" } = request;
  const bytes =
    typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
  return {
    method: request.method,
    path: url.pathname,
    query: url.searchParams,
    headers,
    body: bytes,
    ...who,
  };
}

function whole(answer: ServerResponse): Promise<ApiResponse> {
  const { status, headers } = answer;
  if (answer.type === "whole") {
    const body = typeof answer.body === "string" ? Buffer.from(answer.body) : answer.body;
    return Promise.resolve({ status, headers, body });
  }
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    answer.start({
      write: (chunk) => chunks.push(chunk) > 0,
      onDrain: () => {},
      end: () => resolve({ status, headers, body: Buffer.concat(chunks) }),
    });
  });
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
    this.headers = asked.answer.headers;
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

  #start(answer: ServerResponse): void {
    if (answer.type === "stream") return answer.start(this);
    this.write(typeof answer.body === "string" ? Buffer.from(answer.body) : answer.body);
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
      this.#receiver.onChunk(Buffer.concat(this.#waiting.splice(0)));
    }
    const receiver = this.#receiver;
    if (!receiver || this.#paused) return;
    if (!this.#end) return this.#drained?.();
    this.#receiver = undefined;
    this.#asked.release();
    this.#end(receiver);
  }

  /** No more comes: what has come is delivered first, and then `end`. */
  #finish(end: (receiver: Receiver) => void): void {
    this.#end ??= end;
    this.#deliverSoon();
  }
}
