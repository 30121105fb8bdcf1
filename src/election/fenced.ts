import { onAbort, unlessAborted } from "../base/index.ts";
import {
  type ApiRequest,
  type MessageConnection,
  type Transport,
  type Upgrade,
  type UpgradeRequest,
  upgradeThrough,
} from "../transport/index.ts";

/** Thrown when a write was not sent, or was aborted, because this process is not the leader. */
export class NotLeaderError extends Error {
  override readonly name: string = "NotLeaderError";
  readonly request: Pick<ApiRequest, "method" | "path">;

  constructor({ method, path }: ApiRequest, got: string, options?: ErrorOptions) {
    super(`expected leadership for ${method} ${path}, got ${got}`, options);
    this.request = { method, path };
  }
}

/** Decides whether writes may be sent. An `Elector` is one. */
export interface Fence {
  /**
   * Returns true if this process leads. It reads the clock, so it is right even after the process was paused. Returns
   * false while leadership is in doubt.
   */
  isLeader(): boolean;
  /** Aborts when the current leadership ends. Already aborted if this process does not lead. */
  readonly leadership: AbortSignal;
  /**
   * Confirms leadership that is in doubt after a step of the clock. Writes wait for it.
   *
   * @returns a promise that resolves after the next renewal or the end of leadership, or `undefined` without doubt
   */
  confirm?(): Promise<void> | undefined;
}

/**
 * Returns a transport that sends reads always, and writes only while this process leads.
 *
 * Leadership is checked when a write is requested, and again before its first byte is sent, at every attempt: time may
 * pass in between, waiting for a connection or for `Retry-After`. A write in flight when leadership ends is aborted;
 * whether the server has executed it is then unknown. While leadership is in doubt, writes wait.
 *
 * Dry runs and access reviews change nothing and count as reads. A WebSocket counts as a write, because a command may
 * change anything, and ends with leadership.
 */
export function fenced(transport: Transport, fence: Fence): Transport {
  const guard = <R>(request: ApiRequest, pass: (request: ApiRequest) => Promise<R>): Promise<R> =>
    changes(request) ? whileLeading(request, fence, pass) : pass(request);
  return {
    server: transport.server,
    send: (request) => guard(request, (allowed) => transport.send(allowed)),
    open: (request) => guard(request, (allowed) => transport.open(allowed)),
    upgrade: upgradeThrough(transport, (request, upgrade) => upgradeWhileLeading(request, fence, upgrade)),
    close: () => transport.close(),
  };
}

async function upgradeWhileLeading(
  request: UpgradeRequest,
  fence: Fence,
  upgrade: Upgrade,
): Promise<MessageConnection> {
  const ended = new AbortController();
  const listeners = [
    onAbort(request.signal, (reason) => ended.abort(reason)),
    onAbort(fence.leadership, (cause) =>
      ended.abort(new NotLeaderError(request, "its end before that of the session", { cause })),
    ),
  ];
  const release = (): void => {
    for (const listener of listeners) listener[Symbol.dispose]();
  };
  try {
    const connection = await whileLeading(request, fence, ({ beforeSend }) =>
      upgrade({ ...request, beforeSend, signal: ended.signal }),
    );
    void connection.closed.then(release);
    return connection;
  } catch (error) {
    release();
    throw error;
  }
}

async function whileLeading<R>(
  request: ApiRequest,
  fence: Fence,
  pass: (request: ApiRequest) => Promise<R>,
): Promise<R> {
  const held = new Error(`expected leadership for ${request.method} ${request.path}, got doubt`);
  const beforeSend = (): void => {
    request.beforeSend?.();
    if (fence.isLeader()) return;
    throw fence.confirm?.() ? held : new NotLeaderError(request, "none; nothing was sent");
  };
  const ended = new AbortController();
  using _outer = onAbort(request.signal, (reason) => ended.abort(reason));
  using _leadership = onAbort(fence.leadership, (cause) =>
    ended.abort(new NotLeaderError(request, "its end before the response", { cause })),
  );
  const { signal } = ended;
  for (;;) {
    for (let doubt = fence.confirm?.(); doubt; doubt = fence.confirm?.()) await unlessAborted(doubt, signal);
    beforeSend();
    try {
      return await pass({ ...request, signal, beforeSend });
    } catch (error) {
      if (error !== held) throw error; // the clock stepped before the write was sent: wait and retry
    }
  }
}

function changes({ method, path }: ApiRequest): boolean {
  return method !== "GET" && method !== "HEAD" && !harmless.test(path);
}

/** Paths of requests that store nothing: token and access reviews, and dry runs. */
const harmless =
  /^\/apis\/(?:authentication|authorization)\.k8s\.io\/|^\/api[^?]*\?(?:.*&)?dryRun=All(?:&|$)/;
