import { asError, type Clock, onAbort, type Timer } from "../base/index.ts";
import {
  type ApiRequest,
  apiErrorFrom,
  ConnectionError,
  type OpenResponse,
  type Receiver,
  readAll,
  type Transport,
} from "../transport/index.ts";

/** Takes the body of an answer, batch by batch. */
export interface BodyConsumer {
  /** So long without a byte, and the connection is taken for dead. In milliseconds; asked for again and again. */
  readonly maxSilenceMs: number;
  /** The answer has begun, and is a success. */
  onOpen(): void;
  /** The next bytes, which came then and are lent until it returns. What it throws ends the connection. */
  take(bytes: Buffer, nowMs: number): void;
  /** Whether no more should come for now. */
  readonly full: boolean;
  /** Calls once, when more may come. */
  whenReady(run: () => void): void;
}

export interface StreamRequest {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly request: ApiRequest;
  readonly signal: AbortSignal;
}

/** Of a connection that fell silent. */
export const silent = "WATCH_SILENT";

/** So long without the head of an answer, and the connection is taken for dead. */
const headMs = 70_000;
/** A batch of work ends after about so long, so that timers and requests are not kept waiting. */
const batchMs = 10;
/** Work is not stopped but between pieces of at most so many bytes. */
const pieceBytes = 64 * 1024;

/**
 * Sends a request and has its answer's body taken. Resolves when it has ended as it should.
 *
 * Rejects with an `ApiError` where the server refuses, a `ConnectionError` where the connection breaks or falls silent,
 * what the taker throws, and the signal's reason; the connection is closed then.
 */
export async function consumeBody(asking: StreamRequest, taker: BodyConsumer): Promise<void> {
  asking.signal.throwIfAborted();
  const connection = new AbortController();
  const outer = onAbort(asking.signal, (reason) => connection.abort(reason));
  const request: ApiRequest = { ...asking.request, signal: connection.signal };
  try {
    const response = await headOf({ ...asking, request }, connection);
    const { status, headers } = response;
    if (status !== 200) {
      const body = await readAll(response, 1024 * 1024, asking.clock);
      throw apiErrorFrom(request, { status, headers, body });
    }
    taker.onOpen();
    await new Intake(response, { ...asking, request }, taker).over;
  } finally {
    outer[Symbol.dispose]();
  }
}

/** The answer's head, if it comes in time. One that comes later is let go of. */
function headOf(
  { transport, clock, request }: StreamRequest,
  connection: AbortController,
): Promise<OpenResponse> {
  return new Promise((resolve, reject) => {
    const tooLate = (): void =>
      connection.abort(broken(request, `no answer within ${headMs} ms`, "ETIMEDOUT"));
    const timer = clock.timer(headMs, tooLate);
    const gone = onAbort(connection.signal, (reason) => settle(() => reject(asError(reason))));
    const settle = (tell: () => void): void => {
      timer.cancel();
      gone[Symbol.dispose]();
      tell();
    };
    transport.open(request).then(
      (response) => (connection.signal.aborted ? response.close() : settle(() => resolve(response))),
      (error: unknown) => settle(() => reject(asError(error))),
    );
  });
}

/** Hands on a body in batches that are short, and not while the taker is full. Hears when nothing comes. */
class Intake implements Receiver {
  readonly over: Promise<void>;
  readonly #response: OpenResponse;
  readonly #asking: StreamRequest;
  readonly #taker: BodyConsumer;
  /** What came and has not been taken yet, in order. */
  #waiting: Buffer[] = [];
  /** Reading has stopped, and goes on by itself. */
  #held = false;
  #heardMs: number;
  #silence: Timer;
  #pause: Timer | undefined;
  #settle!: (error: Error | undefined) => void; // set by the promise's executor, which runs at once

  constructor(response: OpenResponse, asking: StreamRequest, taker: BodyConsumer) {
    this.#response = response;
    this.#asking = asking;
    this.#taker = taker;
    this.over = new Promise((resolve, reject) => {
      this.#settle = (error) => (error ? reject(error) : resolve());
    });
    this.#heardMs = asking.clock.monotonic();
    this.#silence = this.#listen(taker.maxSilenceMs);
    response.receive(this);
  }

  /** What cannot be taken before this returns is copied: it is only lent. */
  onChunk(chunk: Buffer): void {
    this.#heardMs = this.#asking.clock.monotonic();
    if (!this.#held && chunk.length <= pieceBytes) return void this.#take(chunk);
    this.#waiting.push(Buffer.from(chunk));
    if (!this.#held) this.#work(this.#heardMs);
  }

  onEnd(): void {
    this.#stop();
    this.#settle(undefined);
  }

  onError(error: Error): void {
    this.#stop();
    this.#settle(error);
  }

  #stop(): void {
    this.#waiting = [];
    this.#silence.cancel();
    this.#pause?.cancel();
  }

  #fail(error: Error): void {
    this.#response.close();
    this.onError(error);
  }

  /** Takes what waits, until it is time for others. */
  #work(startMs: number): void {
    const { clock } = this.#asking;
    for (let piece = this.#nextPiece(); piece; piece = this.#nextPiece()) {
      if (!this.#take(piece)) return;
      if (this.#waiting.length > 0 && clock.monotonic() - startMs >= batchMs) {
        return this.#hold((go) => {
          this.#pause = clock.timer(0, go);
        });
      }
    }
  }

  /** Says whether more may come. */
  #take(piece: Buffer): boolean {
    this.#taker.take(piece, this.#heardMs);
    if (!this.#taker.full) return true;
    this.#hold((go) => this.#taker.whenReady(go));
    return false;
  }

  #nextPiece(): Buffer | undefined {
    const first = this.#waiting.shift();
    if (!first || first.length <= pieceBytes) return first;
    this.#waiting.unshift(first.subarray(pieceBytes));
    return first.subarray(0, pieceBytes);
  }

  #hold(until: (go: () => void) => void): void {
    this.#held = true;
    this.#response.pause();
    until(() => this.#goOn());
  }

  /** While reading had stopped, silence was our own doing. */
  #goOn(): void {
    this.#heardMs = this.#asking.clock.monotonic();
    this.#held = false;
    try {
      this.#work(this.#heardMs);
    } catch (error) {
      return this.#fail(asError(error)); // there is no transport around us to catch it
    }
    if (!this.#held) this.#response.resume();
  }

  /** Looks whether anything was heard, no oftener than silence may last: cheaper than a timer per chunk. */
  #listen(afterMs: number): Timer {
    const { clock, request } = this.#asking;
    const dueMs = clock.monotonic() + afterMs;
    return clock.timer(afterMs, () => {
      const nowMs = clock.monotonic();
      const { maxSilenceMs } = this.#taker;
      if (this.#held) this.#heardMs = nowMs;
      const leftMs = this.#heardMs + maxSilenceMs - nowMs;
      // a process that was asleep or busy for so long has first to hear what came meanwhile
      const late = nowMs - dueMs > lateMs;
      if (leftMs <= 0 && !late) this.#fail(broken(request, `nothing for ${maxSilenceMs} ms`, silent));
      else this.#silence = this.#listen(Math.max(leftMs, lateMs));
    });
  }
}

const lateMs = 1000;

export function broken(request: ApiRequest, what: string, code: string): ConnectionError {
  const { method, path } = request;
  return new ConnectionError(`expected more from ${method} ${path}, got ${what}`, { code, request });
}
