import { Stream } from "../../../test/scripted-stream.ts";
import type {
  ApiRequest,
  ApiResponse,
  OpenResponse,
  ResponseHeaders,
  Transport,
} from "../../transport/index.ts";

export { lost, Stream } from "../../../test/scripted-stream.ts";

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

function completeStream({ status, headers, body }: Reply): Stream {
  return new Stream(status, headers).text(typeof body === "string" ? body : JSON.stringify(body)).end();
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
