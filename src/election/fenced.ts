import { follow } from "../base/index.ts";
import type { ApiRequest, Transport } from "../transport/index.ts";

/** A write was not sent, or broken off, because this process leads no longer, or not yet. */
export class NotLeaderError extends Error {
  override readonly name: string = "NotLeaderError";
  readonly request: Pick<ApiRequest, "method" | "path">;

  constructor({ method, path }: ApiRequest, got: string, options?: ErrorOptions) {
    super(`expected to lead for ${method} ${path}, got ${got}`, options);
    this.request = { method, path };
  }
}

/** Who says whether writes may leave. An `Elector` is one. */
export interface Fence {
  /** Asks the clock: it is right also in a process that stood still. */
  isLeader(): boolean;
  /** Aborted when the leadership of now ends; of somebody who does not lead, it is aborted. */
  readonly leadership: AbortSignal;
}

/**
 * Lets reads through always, and writes while we lead.
 *
 * Whether we lead is asked when a write comes and again when its first byte is about to leave, at every try: time may
 * have passed in between, waiting for a connection or by the server's wish. What is under way when leadership
 * ends is broken off; whether the server has done it is not known then.
 *
 * Dry runs and reviews of access change nothing and count as reads.
 */
export function fenced(transport: Transport, fence: Fence): Transport {
  const guard = <R>(request: ApiRequest, pass: (request: ApiRequest) => Promise<R>): Promise<R> =>
    changes(request) ? whileLeading(request, fence, pass) : pass(request);
  return {
    server: transport.server,
    send: (request) => guard(request, (allowed) => transport.send(allowed)),
    open: (request) => guard(request, (allowed) => transport.open(allowed)),
    close: () => transport.close(),
  };
}

async function whileLeading<R>(
  request: ApiRequest,
  fence: Fence,
  pass: (request: ApiRequest) => Promise<R>,
): Promise<R> {
  const permit = (): void => {
    request.permit?.();
    if (!fence.isLeader()) throw new NotLeaderError(request, "no leadership; nothing was sent");
  };
  permit();
  const ended = new AbortController();
  using _outer = follow(request.signal, (reason) => ended.abort(reason));
  using _leadership = follow(fence.leadership, (cause) =>
    ended.abort(new NotLeaderError(request, "an end of leadership before the answer", { cause })),
  );
  return await pass({ ...request, signal: ended.signal, permit });
}

function changes({ method, path }: ApiRequest): boolean {
  return method !== "GET" && method !== "HEAD" && !harmless.test(path);
}

/** Nothing is stored: reviews of tokens and of access, and dry runs. */
const harmless =
  /^\/apis\/(?:authentication|authorization)\.k8s\.io\/|^\/api[^?]*\?(?:.*&)?dryRun=All(?:&|$)/;
