import type { ApiRequest } from "../transport.ts";
import { connectionError } from "./consume-body.ts";
import { Frames, type OnFrame } from "./frames.ts";

/** Splits the body of one watch into the frames of its events, and measures how long the watch was alive. */
export class WatchFrames {
  readonly #request: ApiRequest;
  readonly #frames: Frames;
  /** Monotonic times at which the response began, and at which bytes last arrived. */
  #openedMs: number | undefined;
  #receivedMs = 0;

  constructor(request: ApiRequest, onFrame: OnFrame) {
    this.#request = request;
    this.#frames = new Frames(onFrame, { source: `${request.method} ${request.path}` });
  }

  /** Monotonic time at which the response began; `undefined` if it never did. */
  get openedMs(): number | undefined {
    return this.#openedMs;
  }

  /** Monotonic time at which bytes last arrived, or the response began. */
  get receivedMs(): number {
    return this.#receivedMs;
  }

  /** Milliseconds from the start of the response to the last bytes. */
  get aliveMs(): number {
    return this.#openedMs === undefined ? 0 : this.#receivedMs - this.#openedMs;
  }

  open(nowMs: number): void {
    this.#openedMs = nowMs;
    this.#receivedMs = nowMs;
  }

  push(bytes: Buffer, nowMs: number): void {
    this.#receivedMs = nowMs;
    this.#frames.push(bytes);
  }

  /**
   * Ends the body. A last line without a newline is a frame, unless it is the start of a JSON object. Then the
   * connection broke in the middle of an event, and this throws.
   */
  end(nowMs: number): void {
    this.#receivedMs = nowMs;
    if (isTruncated(this.#frames.unfinished))
      throw connectionError(this.#request, "a truncated event", "WATCH_BROKEN");
    this.#frames.flush();
  }
}

/** Returns true for an object without its end. Only a parser detects that: the bytes may end in braces by chance. */
function isTruncated(line: Buffer): boolean {
  if (line[0] !== openBrace) return false;
  try {
    JSON.parse(line.toString());
    return false;
  } catch {
    return true; // the caller reports it
  }
}

const openBrace = 0x7b;
