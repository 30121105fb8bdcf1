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
import { changeOf, LazyWatchEvent } from "./watch-event.ts";

export interface WatchOnceOptions {
  readonly clock: Clock;
  /** So long without a byte, and the connection is taken for dead. Bookmarks come about once a minute. */
  readonly silenceMs: number;
  /** Whether objects come with their managedFields. */
  readonly managedFields: boolean;
}

/** Events read ahead of the loop before the server is made to wait. */
const ahead = 1000;

/**
 * The events of one connection. It ends when the server ends it, and throws when it breaks, falls silent or says
 * something that is not an event. Leaving the loop closes the connection.
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

/** Turns one watch's bytes into events. */
class WatchBody<T extends KubeObject> implements Receiver {
  readonly events: Feed<WatchEvent<T>>;
  readonly #response: OpenResponse;
  readonly #request: ApiRequest;
  readonly #clock: Clock;
  readonly #managedFields: boolean;
  readonly #frames = new Frames((bytes, start, end) => this.#frame(bytes, start, end));
  #heardMs: number;
  #silence: Timer;
  /** The body is over: a frame that breaks off is the connection's fault. */
  #over = false;

  constructor(response: OpenResponse, request: ApiRequest, options: WatchOnceOptions) {
    const { clock, silenceMs, managedFields } = options;
    this.#response = response;
    this.#request = request;
    this.#clock = clock;
    this.#managedFields = managedFields;
    this.#heardMs = clock.monotonic();
    this.#silence = this.#listen(silenceMs);
    this.events = new Feed({ onClose: () => this.#close(), onDrained: () => this.#resume() });
  }

  onChunk(chunk: Buffer): void {
    this.#heardMs = this.#clock.monotonic();
    this.#frames.push(chunk);
    if (this.events.waiting > ahead) this.#response.pause();
  }

  onEnd(): void {
    this.#over = true;
    this.#silence.cancel();
    try {
      this.#frames.flush();
      this.events.end();
    } catch (error) {
      this.onError(error as Error); // #frame throws errors alone
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

  /** While events waited to be read, silence was the reader's doing. */
  #resume(): void {
    this.#heardMs = this.#clock.monotonic();
    this.#response.resume();
  }

  /** Looks, once per `silenceMs`, whether anything was heard: cheaper than a timer per chunk. */
  #listen(silenceMs: number): Timer {
    const check = (): void => {
      if (this.events.waiting > 0) this.#heardMs = this.#clock.monotonic();
      const quietMs = this.#clock.monotonic() - this.#heardMs;
      if (quietMs >= silenceMs) this.events.fail(this.#broken(`nothing for ${silenceMs} ms`));
      else this.#silence = this.#clock.timer(silenceMs - quietMs, check);
    };
    return this.#clock.timer(silenceMs, check);
  }

  /** What breaks off is found by parsing alone, so nothing is taken unparsed from the end of a body. */
  #frame(bytes: Buffer, start: number, end: number): void {
    const scanned = this.#managedFields || this.#over ? undefined : scanEvent(bytes, start, end);
    if (scanned) this.events.push(new LazyWatchEvent<T>(scanned, this.#unparsable));
    else this.#text(bytes.toString("utf8", start, end));
  }

  readonly #unparsable = (text: string, cause: unknown): ApiError => this.#senseless(text, cause);

  #text(text: string): void {
    const { type, object } = this.#parse(text);
    if (type === "ERROR") throw apiErrorFromStatus(object as Status, this.#request); // an ERROR event holds one
    const { resourceVersion } = (object as Partial<KubeObject>).metadata ?? {};
    if (!resourceVersion) throw this.#senseless(text);
    if (type === "BOOKMARK") return this.events.push({ type: "bookmark", resourceVersion });
    const change = changeTypeOf(type);
    if (!change) throw this.#senseless(text);
    const known = object as T; // the kind asked for is what comes
    this.events.push(changeOf(change, this.#managedFields ? known : withoutManagedFields(known)));
  }

  #parse(text: string): RawEvent {
    let event: Partial<RawEvent> | null = null;
    try {
      event = JSON.parse(text) as Partial<RawEvent> | null;
    } catch (cause) {
      if (this.#over && text.startsWith("{")) throw this.#broken("an end in the middle of an event");
      throw this.#senseless(text, cause);
    }
    if (typeof event?.type !== "string" || typeof event.object !== "object") throw this.#senseless(text);
    return event as RawEvent; // both parts were looked at
  }

  #senseless(text: string, cause?: unknown): ApiError {
    const { method, path } = this.#request;
    const start = JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text);
    const message = `expected watch events from ${method} ${path}, got ${start}; is that address a Kubernetes API server?`;
    return new ApiError(message, { code: 200, reason: "InvalidResponse", request: this.#request, cause });
  }

  #tooLong({ message }: FrameTooLongError): FrameTooLongError {
    return new FrameTooLongError(`${message}, from ${this.#request.method} ${this.#request.path}`);
  }

  #broken(what: string): ConnectionError {
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
