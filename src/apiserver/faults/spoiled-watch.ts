import type { CutResponse, Handler, ServerRequest, ServerResponse, Sink } from "../exchange.ts";
import { expired } from "../status-error.ts";
import { errorFrame } from "../watch-frames.ts";
import { leavable } from "./cut.ts";
import type { WatchFault } from "./fault-rule.ts";

/** A watch that goes well for some events. One that is refused is refused as always. */
export async function spoiledWatch(
  fault: WatchFault,
  request: ServerRequest,
  handler: Handler,
): Promise<ServerResponse | CutResponse> {
  const { inner, leave } = leavable(request);
  const answer = await handler.handle(inner);
  if (answer.type !== "stream") return answer;
  return {
    ...answer,
    start(sink) {
      const spoiled = new SpoiledSink(fault, sink, leave);
      if (!spoiled.over) answer.start(spoiled);
    },
  };
}

const newline = 0x0a;

/** Counts events on their way: a line each. */
class SpoiledSink implements Sink {
  readonly #type: WatchFault["type"];
  readonly #sink: Sink;
  readonly #leave: () => void;
  #left: number;
  /** Nothing more reaches the client. */
  #over = false;

  constructor({ type, afterEvents = 0 }: WatchFault, sink: Sink, leave: () => void) {
    this.#type = type;
    this.#sink = sink;
    this.#leave = leave;
    this.#left = afterEvents;
    if (afterEvents === 0) this.#spoil();
  }

  get over(): boolean {
    return this.#over;
  }

  write(chunk: Buffer): boolean {
    if (this.#over) return true;
    const length = this.#allowed(chunk);
    const taken = this.#sink.write(chunk.subarray(0, length));
    if (this.#left === 0) this.#spoil();
    return taken;
  }

  onDrain(listener: () => void): void {
    this.#sink.onDrain(listener);
  }

  end(): void {
    if (!this.#over) this.#sink.end();
  }

  cut(): void {
    if (!this.#over) this.#sink.cut();
  }

  /** How many bytes of it are events that may still come. */
  #allowed(chunk: Buffer): number {
    let length = 0;
    while (this.#left > 0 && length < chunk.length) {
      const at = chunk.indexOf(newline, length);
      if (at < 0) return chunk.length;
      this.#left -= 1;
      length = at + 1;
    }
    return length;
  }

  #spoil(): void {
    this.#over = true;
    if (this.#type === "expire") this.#sink.write(errorFrame(expired(tooOld)));
    if (this.#type === "close" || this.#type === "expire") this.#sink.end();
    if (this.#type === "break") this.#sink.cut();
    this.#leave();
  }
}

const tooOld = "The resourceVersion for the provided watch is too old.";
