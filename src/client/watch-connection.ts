import type { KubeObject } from "../api/index.ts";
import { asError, type Clock, Feed, onAbort } from "../base/index.ts";
import {
  ApiError,
  type ApiRequest,
  apiErrorFromStatus,
  type BodyConsumer,
  consumeBody,
  maxSilenceMs,
  type ParsedEvent,
  parseEvent,
  scanEvent,
  type Transport,
  WatchFrames,
  withoutManagedFields,
} from "../transport/index.ts";
import type { WatchEvent } from "./options.ts";
import { LazyWatchEvent, watchEventOf } from "./watch-event.ts";

export interface WatchConnectionOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** True to keep the managedFields of objects. */
  readonly managedFields: boolean;
}

/** Number of buffered events after which the response is paused. */
const maxBufferedEvents = 1000;

/** One connection of a watch. */
export class WatchConnection<T extends KubeObject> {
  readonly #body: WatchBody<T>;

  constructor(request: ApiRequest, { transport, clock, signal, managedFields }: WatchConnectionOptions) {
    const closed = new AbortController();
    const following = onAbort(signal, (reason) => closed.abort(reason));
    const onClose = (): void => {
      following[Symbol.dispose]();
      closed.abort();
    };
    this.#body = new WatchBody<T>({ request, clock, managedFields, onClose });
    const { events } = this.#body;
    consumeBody({ transport, clock, request, signal: closed.signal }, this.#body).then(
      () => events.end(),
      (error: unknown) => events.fail(asError(error)),
    );
  }

  /**
   * The events. The feed ends when the server ends the response. It throws if the server refuses the watch, the
   * connection breaks or is silent for too long, and for invalid events. Leaving the loop closes the connection.
   */
  get events(): Feed<WatchEvent<T>> {
    return this.#body.events;
  }

  /** True if the server has accepted the watch. */
  get established(): boolean {
    return this.#body.frames.openedMs !== undefined;
  }

  /** Milliseconds from the start of the response to the last bytes. */
  get aliveMs(): number {
    return this.#body.frames.aliveMs;
  }
}

interface WatchBodyOptions {
  readonly request: ApiRequest;
  readonly clock: Clock;
  readonly managedFields: boolean;
  /** Called once when the reader has finished. */
  readonly onClose: () => void;
}

/** Converts the body of one watch into events. */
class WatchBody<T extends KubeObject> implements BodyConsumer {
  readonly maxSilenceMs: number = maxSilenceMs;
  readonly events: Feed<WatchEvent<T>>;
  readonly frames: WatchFrames;
  readonly #options: WatchBodyOptions;
  /** Resumes the response after a pause. */
  #resume: (() => void) | undefined;

  constructor(options: WatchBodyOptions) {
    const { request, onClose } = options;
    this.#options = options;
    this.frames = new WatchFrames(request, (bytes, start, end) => this.#frame(bytes, start, end));
    this.events = new Feed({ onClose, onDrained: () => this.#drained() });
  }

  get full(): boolean {
    return this.events.waiting > maxBufferedEvents;
  }

  whenReady(run: () => void): void {
    this.#resume = run;
  }

  onOpen(): void {
    this.frames.open(this.#options.clock.monotonic());
  }

  consume(bytes: Buffer, nowMs: number): void {
    this.frames.push(bytes, nowMs);
  }

  onEnd(): void {
    this.frames.end(this.#options.clock.monotonic());
  }

  #drained(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  #frame(bytes: Buffer, start: number, end: number): void {
    const scanned = this.#options.managedFields ? undefined : scanEvent(bytes, start, end);
    if (scanned) this.events.push(new LazyWatchEvent<T>(scanned, this.#unparsable));
    else this.events.push(this.#parsed(bytes.toString("utf8", start, end)));
  }

  readonly #unparsable = (text: string, cause: unknown): ApiError => this.#invalidEvent(text, cause);

  #parsed(text: string): WatchEvent<T> {
    const event = this.#parse(text);
    if (event?.type === "error") throw apiErrorFromStatus(event.status, this.#options.request);
    if (event?.type === "bookmark")
      return { type: "bookmark", resourceVersion: event.metadata.resourceVersion };
    const object = event?.object as T | undefined; // the server sends objects of the requested kind
    if (!event || !object?.metadata?.resourceVersion) throw this.#invalidEvent(text);
    return watchEventOf(event.type, this.#options.managedFields ? object : withoutManagedFields(object));
  }

  #parse(text: string): ParsedEvent | undefined {
    try {
      return parseEvent(text);
    } catch (cause) {
      throw this.#invalidEvent(text, cause);
    }
  }

  #invalidEvent(text: string, cause?: unknown): ApiError {
    const { request } = this.#options;
    const start = JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text);
    const message = `expected watch events from ${request.method} ${request.path}, got ${start}; is that address a Kubernetes API server?`;
    return new ApiError(message, { code: 200, reason: "InvalidResponse", request, cause });
  }
}
