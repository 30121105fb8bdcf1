import { wallClock } from "../stub/wall-clock.ts";
import { printFigure } from "./probe.ts";

/** How late events come: from when the stub sent each of them to when it is noted here. */
export class Lateness {
  readonly #clock = wallClock();
  readonly #us: number[] = [];

  /**
   * An event is here.
   *
   * @param sentUs what the annotation of its object says, in microseconds since 1970. It may take its time to read that:
   *   the clock is read before.
   */
  note(sentUs: () => string | undefined): void {
    this.#us.push(this.#clock() - Number(sentUs()));
  }

  /** What was noted so far was the warm-up. */
  forget(): void {
    this.#us.length = 0;
  }

  /** The figures `p50` and `p99`, in microseconds. */
  print(): void {
    const late = Float64Array.from(this.#us).sort();
    if (Number.isNaN(late.at(-1) ?? Number.NaN)) {
      throw new Error(`expected the time it was sent in each of ${late.length} events, got one without`);
    }
    printFigure("p50", late[Math.floor(late.length * 0.5)] ?? Number.NaN);
    printFigure("p99", late[Math.floor(late.length * 0.99)] ?? Number.NaN);
  }
}
