import type { KubeObject, Status } from "../api/index.ts";
import { type Clock, Feed, type Timer } from "../base/index.ts";
import {
  ApiError,
  type ApiRequest,
  apiErrorFrom,
  apiErrorFromStatus,
  ConnectionError,
  changeTypeOf,
  Frames,
  FrameTooLongError,
  type OpenResponse,
  type Receiver,
  readAll,
  scanEvent,
  type Transport,
} from "../transport/index.ts";
import { withoutManagedFields } from "./managed-fields.ts";
import type { WatchEvent } from "./options.ts";
import { LazyWatchEvent, watchEventOf } from "./watch-event.ts";

export interface WatchOnceOptions {
  readonly clock: Clock;
  /** Time without a byte after which the connection counts as broken. Bookmarks arrive about once per minute. */
  readonly silenceMs: number;
  /** True to keep the managedFields of objects. */
  readonly managedFields: boolean;
}

/** Number of buffered events after which the response is paused. */
const maxBufferedEvents = 1000;

/**
 * Returns the events of one watch connection. The feed ends when the server ends the response. It throws if the
 * connection breaks, is silent for too long, or delivers invalid events. Leaving the loop closes the connection.
 */
export async function watchOnce<T extends KubeObject>(
  transport: Transport,
  request: ApiRequest,
  options: WatchOnceOptions,
): Promise<Feed<WatchEvent<T>>> {
  const response = await transport.open(request);
  if (response.status !== 200) {
    const { status, headers } = response;
    const body = await readAll(response, 1024 * 1024, options.clock);
    throw apiErrorFrom(request, { status, headers, body });
  }
  const watch = new WatchBody<T>(response, request, options);
  response.receive(watch);
  return watch.events;
}

/** Parses the body of one watch into events. */
class WatchBody<T extends KubeObject> implements Receiver {
  readonly events: Feed<WatchEvent<T>>;
  readonly #response: OpenResponse;
  readonly #request: ApiRequest;
  readonly #clock: Clock;
  readonly #managedFields: boolean;
  readonly #frames = new Frames((bytes, start, end) => this.#frame(bytes, start, end));
  #lastReceivedMs: number;
  #silence: Timer;
  /** True if the body has ended, so that an incomplete frame means a broken connection. */
  #ended = false;

  constructor(response: OpenResponse, request: ApiRequest, options: WatchOnceOptions) {
    const { clock, silenceMs, managedFields } = options;
    this.#response = response;
    this.#request = request;
    this.#clock = clock;
    this.#managedFields = managedFields;
    this.#lastReceivedMs = clock.monotonic();
    this.#silence = this.#watchSilence(silenceMs);
    this.events = new Feed({ onClose: () => this.#close(), onDrained: () => this.#resume() });
  }

  onChunk(chunk: Buffer): void {
    this.#lastReceivedMs = this.#clock.monotonic();
    this.#frames.push(chunk);
    if (this.events.waiting > maxBufferedEvents) this.#response.pause();
  }

  onEnd(): void {
    this.#ended = true;
    this.#silence.cancel();
    try {
      this.#frames.flush();
      this.events.end();
    } catch (error) {
      this.onError(error as Error); // #frame throws only errors
    }
  }

  onError(error: Error): void {
    this.#silence.cancel();
    this.events.fail(error instanceof FrameTooLongError ? this.#tooLong(error) : error);
  }

  #close(): void {
    this.#silence.cancel();
    this.#response.close();
  }

  /** Resumes the response. The time in which the reader was behind does not count as silence. */
  #resume(): void {
    this.#lastReceivedMs = this.#clock.monotonic();
    this.#response.resume();
  }

  /** Checks once per `silenceMs` whether bytes have arrived, which is cheaper than a timer per chunk. */
  #watchSilence(silenceMs: number): Timer {
    const check = (): void => {
      if (this.events.waiting > 0) this.#lastReceivedMs = this.#clock.monotonic();
      const quietMs = this.#clock.monotonic() - this.#lastReceivedMs;
      if (quietMs >= silenceMs) this.events.fail(this.#connectionError(`nothing for ${silenceMs} ms`));
      else this.#silence = this.#clock.timer(silenceMs - quietMs, check);
    };
    return this.#clock.timer(silenceMs, check);
  }

  /** Handles one frame. At the end of a body it always parses, because only a parser detects a truncated event. */
  #frame(bytes: Buffer, start: number, end: number): void {
    const scanned = this.#managedFields || this.#ended ? undefined : scanEvent(bytes, start, end);
    if (scanned) this.events.push(new LazyWatchEvent<T>(scanned, this.#unparsable));
    else this.#text(bytes.toString("utf8", start, end));
  }

  readonly #unparsable = (text: string, cause: unknown): ApiError => this.#invalidEvent(text, cause);

  #text(text: string): void {
    const { type, object } = this.#parse(text);
    if (type === "ERROR") throw apiErrorFromStatus(object as Status, this.#request); // an ERROR event contains a Status
    const { resourceVersion } = (object as Partial<KubeObject>).metadata ?? {};
    if (!resourceVersion) throw this.#invalidEvent(text);
    if (type === "BOOKMARK") return this.events.push({ type: "bookmark", resourceVersion });
    const change = changeTypeOf(type);
    if (!change) throw this.#invalidEvent(text);
    const known = object as T; // the server sends objects of the requested kind
    this.events.push(watchEventOf(change, this.#managedFields ? known : withoutManagedFields(known)));
  }

  #parse(text: string): RawEvent {
    let event: Partial<RawEvent> | null = null;
    try {
      event = JSON.parse(text) as Partial<RawEvent> | null;
    } catch (cause) {
      if (this.#ended && text.startsWith("{")) throw this.#connectionError("a truncated event");
      throw this.#invalidEvent(text, cause);
    }
    if (typeof event?.type !== "string" || typeof event.object !== "object") throw this.#invalidEvent(text);
    return event as RawEvent; // both fields are checked
  }

  #invalidEvent(text: string, cause?: unknown): ApiError {
    const { method, path } = this.#request;
    const start = JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text);
    const message = `expected watch events from ${method} ${path}, got ${start}; is that address a Kubernetes API server?`;
    return new ApiError(message, { code: 200, reason: "InvalidResponse", request: this.#request, cause });
  }

  #tooLong({ message }: FrameTooLongError): FrameTooLongError {
    return new FrameTooLongError(`${message}, from ${this.#request.method} ${this.#request.path}`);
  }

  #connectionError(what: string): ConnectionError {
    const { method, path } = this.#request;
    return new ConnectionError(`expected events from ${method} ${path}, got ${what}`, {
      code: "WATCH_BROKEN",
      request: this.#request,
    });
  }
}

interface RawEvent {
  readonly type: string;
  readonly object: object;
}
