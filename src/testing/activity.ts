import type { Handler, Sink, StreamingServerResponse } from "../apiserver/index.ts";
import { onAbort, realClock, settled } from "../base/index.ts";

/** The requests that a server handles and the bodies that it streams, to find out when nothing more happens. */
export class Activity {
  /** Number of starts, ends and chunks so far. It stays the same while nothing happens. */
  #steps = 0;
  /** Requests that the server has begun and not answered. */
  #requests = 0;
  /** Called at each step, by each `rest` that waits for one. */
  readonly #waiting = new Set<() => void>();

  /** Returns the handler with its requests counted here. */
  counting(handler: Handler): Handler {
    return {
      handle: async (request) => {
        this.#change(1);
        try {
          const response = await handler.handle(request);
          return response.type === "stream" ? this.#counted(response) : response;
        } finally {
          this.#change(-1);
        }
      },
    };
  }

  /**
   * Resolves when nothing more happens until the clock moves, or when the signal aborts. Requests that make no progress
   * for a second of real time are taken to wait for the clock.
   *
   * @param onTurn Called after each turn of the event loop. What it throws ends the wait.
   */
  async rest(signal: AbortSignal, onTurn: () => void): Promise<void> {
    for (let quiet = 0; quiet < quietTurns; ) {
      const before = this.#steps;
      await settled();
      if (signal.aborted) return;
      onTurn();
      if (this.#steps !== before) quiet = 0;
      else if (this.#requests === 0) quiet += 1;
      else if (!(await this.#progress(signal))) return;
    }
  }

  /** Resolves with true at the next step, and with false after a second without one, or if the signal aborts. */
  #progress(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (stepped: boolean): void => {
        timer.cancel();
        aborted[Symbol.dispose]();
        this.#waiting.delete(onStep);
        resolve(stepped);
      };
      const onStep = (): void => end(true);
      const timer = realClock.timer(stalledMs, () => end(false));
      this.#waiting.add(onStep);
      const aborted = onAbort(signal, () => queueMicrotask(() => end(false)));
    });
  }

  #counted(response: StreamingServerResponse): StreamingServerResponse {
    return { ...response, start: (sink) => response.start(this.#countedSink(sink)) };
  }

  #countedSink(sink: Sink): Sink {
    return {
      write: (chunk) => {
        this.#change(0);
        return sink.write(chunk);
      },
      onDrain: (listener) => sink.onDrain(listener),
      end: () => sink.end(),
      cut: () => sink.cut(),
    };
  }

  #change(requests: number): void {
    this.#requests += requests;
    this.#steps += 1;
    for (const onStep of this.#waiting) onStep();
  }
}

/** Turns of the event loop without a step, after which nothing more happens: a cache notifies in a later turn. */
const quietTurns = 4;

/** Requests without progress for this long wait for the clock, and not for another program. */
const stalledMs = 1_000;
