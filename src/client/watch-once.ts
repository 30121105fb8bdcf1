import type { KubeObject, Status } from "../api/index.ts";
import { type Clock, Feed } from "../base/index.ts";
import {
  ApiError,
  type ApiRequest,
  apiErrorFrom,
  apiErrorFromStatus,
  ConnectionError,
  Frames,
  FrameTooLongError,
  type OpenResponse,
  readAll,
  type Transport,
} from "../transport/index.ts";
import type { WatchEvent } from "./options.ts";

export interface WatchOnceOptions {
  readonly clock: Clock;
  /** So long without a byte, and the connection is taken for dead. Bookmarks come about once a minute. */
  readonly silenceMs: number;
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
    throw apiErrorFrom(request, { status, headers, body: await readAll(response, 1024 * 1024) });
  }
  return new WatchBody<T>(response, request, options).events;
}

/** Turns one watch's bytes into events. */
class WatchBody<T extends KubeObject> {
  readonly events: Feed<WatchEvent<T>>;
  readonly #request: ApiRequest;
  readonly #clock: Clock;
  #heardMs: number;
  #silence: { cancel(): void };

  constructor(response: OpenResponse, request: ApiRequest, { clock, silenceMs }: WatchOnceOptions) {
    this.#request = request;
    this.#clock = clock;
    this.#heardMs = clock.monotonic();
    this.#silence = this.#listen(silenceMs);
    this.events = new Feed({
      onClose: () => {
        this.#silence.cancel();
        response.close();
      },
      onDrained: () => response.resume(),
    });
    this.#receive(response);
  }

  #receive(response: OpenResponse): void {
    const frames = new Frames((bytes, start, end) => this.#frame(bytes.toString("utf8", start, end)));
    response.receive({
      onChunk: (chunk) => {
        this.#heardMs = this.#clock.monotonic();
        this.#guarded(() => frames.push(chunk), response);
        if (this.events.waiting > ahead) response.pause();
      },
      onEnd: () => {
        this.#silence.cancel();
        if (frames.unfinished > 0) this.events.fail(this.#broken("an end in the middle of a frame"));
        else this.events.end();
      },
      onError: (error) => this.#fail(error, response),
    });
  }

  /**
   * Looks, once per `silenceMs`, whether anything was heard: cheaper than a timer per chunk. While events wait to be
   * read, silence is the reader's doing.
   */
  #listen(silenceMs: number): { cancel(): void } {
    const check = (): void => {
      if (this.events.waiting > 0) this.#heardMs = this.#clock.monotonic();
      const quietMs = this.#clock.monotonic() - this.#heardMs;
      if (quietMs >= silenceMs) this.events.fail(this.#broken(`nothing for ${silenceMs} ms`));
      else this.#silence = this.#clock.timer(silenceMs - quietMs, check);
    };
    return this.#clock.timer(silenceMs, check);
  }

  #guarded(push: () => void, response: OpenResponse): void {
    try {
      push();
    } catch (error) {
      this.#fail(error instanceof Error ? this.#described(error) : this.#broken(String(error)), response);
    }
  }

  #fail(error: Error, response: OpenResponse): void {
    this.#silence.cancel();
    response.close();
    this.events.fail(error);
  }

  #frame(text: string): void {
    const { type, object } = this.#parse(text);
    switch (type) {
      case "ADDED":
      case "MODIFIED":
      case "DELETED":
        return this.events.push({ type: typeNames[type], object: object as T }); // the kind asked for is what comes
      case "BOOKMARK":
        return this.events.push({ type: "bookmark", resourceVersion: object.metadata.resourceVersion });
      case "ERROR":
        throw apiErrorFromStatus(object as unknown as Status, this.#request); // an ERROR event holds a Status
      default:
        throw this.#senseless(text);
    }
  }

  #parse(text: string): RawEvent {
    try {
      const event = JSON.parse(text) as Partial<RawEvent> | null;
      if (typeof event?.type === "string" && event.object?.metadata) return event as RawEvent; // its parts are there
    } catch (cause) {
      throw this.#senseless(text, cause);
    }
    throw this.#senseless(text);
  }

  #senseless(text: string, cause?: unknown): ApiError {
    const { method, path } = this.#request;
    const start = JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text);
    const message = `expected watch events from ${method} ${path}, got ${start}; is that address a Kubernetes API server?`;
    return new ApiError(message, { code: 200, reason: "InvalidAnswer", request: this.#request, cause });
  }

  #described(error: Error): Error {
    return error instanceof FrameTooLongError
      ? new FrameTooLongError(`${error.message}, from ${this.#request.method} ${this.#request.path}`)
      : error;
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
  readonly object: KubeObject;
}

const typeNames = { ADDED: "added", MODIFIED: "modified", DELETED: "deleted" } as const;
