import { Stream } from "../../test/scripted-stream.ts";
import type {
  ApiRequest,
  ApiResponse,
  OpenResponse,
  ResponseHeaders,
  Transport,
} from "../transport/index.ts";

export { Stream } from "../../test/scripted-stream.ts";

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

function wholeStream(reply: Reply): Stream {
  return new Stream(reply.status, reply.headers).text(textOf(reply)).end();
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
