import { wallClock } from "../stub/wall-clock.ts";
import { printFigure } from "./probe.ts";

/** Measures latency from when the stub sent an event to its arrival here. */
export class Lateness {
  readonly #clock = wallClock();
  readonly #us: number[] = [];

  /**
   * Records the arrival of an event.
   * @param sentUs Returns the annotation of its object, in microseconds since 1970. Its own time does not count, since
   * the clock is read before.
   */
  note(sentUs: () => string | undefined): void {
    this.#us.push(this.#clock() - Number(sentUs()));
  }

  /** Ends the warm-up: discards all samples. */
  forget(): void {
    this.#us.length = 0;
  }

  /** Returns the figures `p50` and `p99`, in microseconds. */
  print(): void {
    const late = Float64Array.from(this.#us).sort();
    if (Number.isNaN(late.at(-1) ?? Number.NaN)) {
      throw new Error(`expected the time it was sent in each of ${late.length} events, got one without`);
    }
    printFigure("p50", late[Math.floor(late.length * 0.5)] ?? Number.NaN);
    printFigure("p99", late[Math.floor(late.length * 0.99)] ?? Number.NaN);
  }
}
