import type { CutResponse, Handler, ServerRequest, ServerResponse, Sink } from "../types/exchange.ts";
import { expired } from "../types/status-error.ts";
import { errorFrame } from "../watch/watch-frames.ts";
import { abortable } from "./cut.ts";
import type { WatchFault } from "./fault-rule.ts";

/**
 * Handles a watch and injects the fault after the configured number of events. A watch that the server rejects stays
 * rejected.
 */
export async function faultyWatch(
  fault: WatchFault,
  request: ServerRequest,
  handler: Handler,
): Promise<ServerResponse | CutResponse> {
  const { inner, abort } = abortable(request);
  const response = await handler.handle(inner);
  if (response.type !== "stream") return response;
  return {
    ...response,
    start(sink) {
      const faultySink = new FaultySink(fault, sink, abort);
      if (!faultySink.failed) response.start(faultySink);
    },
  };
}

const newline = 0x0a;

/** Forwards a stream until the fault occurs. It counts events, one per line. */
class FaultySink implements Sink {
  readonly #type: WatchFault["type"];
  readonly #sink: Sink;
  readonly #abort: () => void;
  #remainingEvents: number;
  /** True once the fault has occurred. Nothing reaches the client after it. */
  #failed = false;

  constructor({ type, afterEvents = 0 }: WatchFault, sink: Sink, abort: () => void) {
    this.#type = type;
    this.#sink = sink;
    this.#abort = abort;
    this.#remainingEvents = afterEvents;
    if (afterEvents === 0) this.#injectFault();
  }

  get failed(): boolean {
    return this.#failed;
  }

  write(chunk: Buffer): boolean {
    if (this.#failed) return true;
    const length = this.#allowedLength(chunk);
    const accepted = this.#sink.write(chunk.subarray(0, length));
    if (this.#remainingEvents === 0) this.#injectFault();
    return accepted;
  }

  onDrain(listener: () => void): void {
    this.#sink.onDrain(listener);
  }

  end(): void {
    if (!this.#failed) this.#sink.end();
  }

  cut(): void {
    if (!this.#failed) this.#sink.cut();
  }

  /** Returns the number of bytes of the chunk that belong to events before the fault. */
  #allowedLength(chunk: Buffer): number {
    let length = 0;
    while (this.#remainingEvents > 0 && length < chunk.length) {
      const end = chunk.indexOf(newline, length);
      if (end < 0) return chunk.length;
      this.#remainingEvents -= 1;
      length = end + 1;
    }
    return length;
  }

  #injectFault(): void {
    this.#failed = true;
    if (this.#type === "expire") this.#sink.write(errorFrame(expired(tooOld)));
    if (this.#type === "close" || this.#type === "expire") this.#sink.end();
    if (this.#type === "break") this.#sink.cut();
    this.#abort();
  }
}

const tooOld = "The resourceVersion for the provided watch is too old.";
