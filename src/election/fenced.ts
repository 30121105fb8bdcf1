import { follow, unlessAborted } from "../base/index.ts";
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

/** Decides whether writes may leave. An `Elector` is one. */
export interface Fence {
  /** Asks the clock: it is right also in a process that stood still. False while leadership is in doubt. */
  isLeader(): boolean;
  /** Aborted when the leadership of now ends. Without leadership, it is aborted. */
  readonly leadership: AbortSignal;
  /**
   * Has leadership confirmed that is in doubt after a step of the clock. Writes wait for it.
   *
   * @returns a promise that resolves after the next renewal or when leadership ended, or `undefined` if there is no doubt
   */
  confirm?(): Promise<void> | undefined;
}

/**
 * Lets reads through always, and writes while we lead.
 *
 * Whether we lead is asked when a write comes and again when its first byte is about to leave, at every try: time may
 * have passed in between, waiting for a connection or by the server's wish. What is under way when leadership
 * ends is broken off; whether the server has done it is not known then. While leadership is in doubt, writes wait.
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
  const held = new Error(`expected to lead for ${request.method} ${request.path}, got leadership in doubt`);
  const beforeSend = (): void => {
    request.beforeSend?.();
    if (fence.isLeader()) return;
    throw fence.confirm?.() ? held : new NotLeaderError(request, "no leadership; nothing was sent");
  };
  const ended = new AbortController();
  using _outer = follow(request.signal, (reason) => ended.abort(reason));
  using _leadership = follow(fence.leadership, (cause) =>
    ended.abort(new NotLeaderError(request, "an end of leadership before the answer", { cause })),
  );
  const { signal } = ended;
  for (;;) {
    for (let doubt = fence.confirm?.(); doubt; doubt = fence.confirm?.()) await unlessAborted(doubt, signal);
    beforeSend();
    try {
      return await pass({ ...request, signal, beforeSend });
    } catch (error) {
      if (error !== held) throw error; // otherwise nothing was sent: the clock stepped while it waited to leave
    }
  }
}

function changes({ method, path }: ApiRequest): boolean {
  return method !== "GET" && method !== "HEAD" && !harmless.test(path);
}

/** Nothing is stored: reviews of tokens and of access, and dry runs. */
const harmless =
  /^\/apis\/(?:authentication|authorization)\.k8s\.io\/|^\/api[^?]*\?(?:.*&)?dryRun=All(?:&|$)/;
