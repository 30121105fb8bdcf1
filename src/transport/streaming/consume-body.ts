import { asError, type Clock, type Deferred, deferred, onAbort, type Timer } from "../../base/index.ts";
import { apiErrorFrom } from "../api-error.ts";
import { ConnectionError } from "../http/connection-error.ts";
import { type ApiRequest, type OpenResponse, type Receiver, readAll, type Transport } from "../transport.ts";

/** Consumes the body of a streaming response, chunk by chunk. */
export interface BodyConsumer {
  /** A connection without a byte for this long is considered dead. In milliseconds. Read again after each check. */
  readonly maxSilenceMs: number;
  /** Called when the head of a successful response has arrived. */
  onOpen(): void;
  /**
   * Consumes the next bytes, which are valid until it returns. An error that it throws ends the connection.
   *
   * @param nowMs monotonic time at which the bytes arrived
   */
  consume(bytes: Buffer, nowMs: number): void;
  /** Called when the server has ended the body. An error that it throws fails the response. */
  onEnd(): void;
  /** True while the consumer has too much to process. Reading stops then. */
  readonly full: boolean;
  /** Calls `run` once, when the consumer can take more. */
  whenReady(run: () => void): void;
}

export interface StreamRequest {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly request: ApiRequest;
  readonly signal: AbortSignal;
}

/** Code of the `ConnectionError` for a connection that was silent for longer than `maxSilenceMs`. */
export const watchSilent = "WATCH_SILENT";

/** A connection that is silent for longer is dead: servers send a bookmark to a watch about once a minute. */
export const maxSilenceMs = 70_000;

/** A connection without the head of a response for this long is considered dead. */
const maxHeadMs = 70_000;
/** Processing pauses after this long, so that timers and other requests run. */
const sliceMs = 10;
/** Processing can pause only between pieces. They have at most this many bytes. */
const maxPieceBytes = 64 * 1024;

/**
 * Sends a request and passes the body of its response to a consumer. Resolves when the server has ended the body.
 *
 * Rejects with an `ApiError` if the server refuses the request, with a `ConnectionError` if the connection breaks or is
 * silent, with an error that the consumer throws, and with the reason of the signal. The connection is closed then.
 */
export async function consumeBody(stream: StreamRequest, consumer: BodyConsumer): Promise<void> {
  stream.signal.throwIfAborted();
  const connection = new AbortController();
  const outer = onAbort(stream.signal, (reason) => connection.abort(reason));
  const request: ApiRequest = { ...stream.request, signal: connection.signal };
  try {
    const response = await openResponse({ ...stream, request }, connection);
    const { status, headers } = response;
    if (status !== 200) {
      const body = await readAll(response, 1024 * 1024, stream.clock);
      throw apiErrorFrom(request, { status, headers, body });
    }
    consumer.onOpen();
    await new BodyReceiver(response, { ...stream, request }, consumer).ended;
  } finally {
    outer[Symbol.dispose]();
  }
}

/** Returns the response, if its head arrives in time. A later one is closed. */
function openResponse(
  { transport, clock, request }: StreamRequest,
  connection: AbortController,
): Promise<OpenResponse> {
  return new Promise((resolve, reject) => {
    const onTimeout = (): void =>
      connection.abort(connectionError(request, `no response within ${maxHeadMs} ms`, "ETIMEDOUT"));
    const timer = clock.timer(maxHeadMs, onTimeout);
    const aborted = onAbort(connection.signal, (reason) => settle(() => reject(asError(reason))));
    const settle = (finish: () => void): void => {
      timer.cancel();
      aborted[Symbol.dispose]();
      finish();
    };
    transport.open(request).then(
      (response) => (connection.signal.aborted ? response.close() : settle(() => resolve(response))),
      (error: unknown) => settle(() => reject(asError(error))),
    );
  });
}

/**
 * Passes a body to the consumer in slices of at most 10 ms, and pauses the connection while the consumer is full or a
 * slice has ended. It also fails the connection if it is silent for too long.
 */
class BodyReceiver implements Receiver {
  readonly #response: OpenResponse;
  readonly #stream: StreamRequest;
  readonly #consumer: BodyConsumer;
  /** Copies of bytes that have arrived and are not consumed yet, in order. */
  #queued: Buffer[] = [];
  /** True while the connection is paused. A timer or the consumer resumes it. */
  #paused = false;
  /** Monotonic time at which bytes last arrived, or at which reading was resumed. */
  #receivedMs: number;
  #silenceTimer: Timer;
  #sliceTimer: Timer | undefined;
  readonly #ended: Deferred<void> = deferred();

  constructor(response: OpenResponse, stream: StreamRequest, consumer: BodyConsumer) {
    this.#response = response;
    this.#stream = stream;
    this.#consumer = consumer;
    this.#receivedMs = stream.clock.monotonic();
    this.#silenceTimer = this.#checkSilence(consumer.maxSilenceMs);
    response.receive(this);
  }

  /** Settles when the body has ended or failed. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Consumes a small chunk in place. Other chunks are copied, because the transport reuses their memory. */
  onChunk(chunk: Buffer): void {
    this.#receivedMs = this.#stream.clock.monotonic();
    if (!this.#paused && chunk.length <= maxPieceBytes) return void this.#consume(chunk);
    this.#queued.push(Buffer.from(chunk));
    if (!this.#paused) this.#consumeQueued(this.#receivedMs);
  }

  onEnd(): void {
    this.#stop();
    try {
      this.#consumer.onEnd();
      this.#ended.resolve();
    } catch (error) {
      this.#ended.reject(asError(error));
    }
  }

  onError(error: Error): void {
    this.#stop();
    this.#ended.reject(error);
  }

  #stop(): void {
    this.#queued = [];
    this.#silenceTimer.cancel();
    this.#sliceTimer?.cancel();
  }

  #fail(error: Error): void {
    this.#response.close();
    this.onError(error);
  }

  /** Consumes queued bytes until the slice ends or the consumer is full. */
  #consumeQueued(startMs: number): void {
    const { clock } = this.#stream;
    for (let piece = this.#nextPiece(); piece; piece = this.#nextPiece()) {
      if (!this.#consume(piece)) return;
      if (this.#queued.length > 0 && clock.monotonic() - startMs >= sliceMs) {
        return this.#pause((resume) => {
          this.#sliceTimer = clock.timer(0, resume);
        });
      }
    }
  }

  /** Returns false if the consumer is full and the connection is paused. */
  #consume(piece: Buffer): boolean {
    this.#consumer.consume(piece, this.#receivedMs);
    if (!this.#consumer.full) return true;
    this.#pause((resume) => this.#consumer.whenReady(resume));
    return false;
  }

  #nextPiece(): Buffer | undefined {
    const first = this.#queued.shift();
    if (!first || first.length <= maxPieceBytes) return first;
    this.#queued.unshift(first.subarray(maxPieceBytes));
    return first.subarray(0, maxPieceBytes);
  }

  #pause(until: (resume: () => void) => void): void {
    this.#paused = true;
    this.#response.pause();
    until(() => this.#resume());
  }

  /** Resets the silence: while the connection was paused, nothing could arrive. */
  #resume(): void {
    this.#receivedMs = this.#stream.clock.monotonic();
    this.#paused = false;
    try {
      this.#consumeQueued(this.#receivedMs);
    } catch (error) {
      return this.#fail(asError(error)); // called by a timer or the consumer, so no transport catches it
    }
    if (!this.#paused) this.#response.resume();
  }

  /** Checks at most once per `maxSilenceMs` whether bytes have arrived. That is cheaper than a timer per chunk. */
  #checkSilence(afterMs: number): Timer {
    const { clock, request } = this.#stream;
    const dueMs = clock.monotonic() + afterMs;
    return clock.timer(afterMs, () => {
      const nowMs = clock.monotonic();
      const { maxSilenceMs } = this.#consumer;
      if (this.#paused) this.#receivedMs = nowMs;
      const leftMs = this.#receivedMs + maxSilenceMs - nowMs;
      // A late timer means that the process was suspended or busy: bytes that arrived meanwhile are read first.
      const late = nowMs - dueMs > lateMs;
      if (leftMs <= 0 && !late)
        this.#fail(connectionError(request, `nothing for ${maxSilenceMs} ms`, watchSilent));
      else this.#silenceTimer = this.#checkSilence(Math.max(leftMs, lateMs));
    });
  }
}

const lateMs = 1000;

/** Returns the error of a connection that has ended or failed before its end. */
export function connectionError(request: ApiRequest, got: string, code: string): ConnectionError {
  const { method, path } = request;
  return new ConnectionError(`expected more from ${method} ${path}, got ${got}`, { code, request });
}
