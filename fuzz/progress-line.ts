import type { Progress } from "./session.ts";

/** The part of `process.stderr` that is used. */
export interface Terminal {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Shows the progress of a session: one line that changes on a terminal, one line a minute elsewhere. */
export class ProgressLine {
  readonly #out: Terminal;
  readonly #minutes: number;
  #shownMinute = -1;
  running: Progress["running"];

  constructor(out: Terminal, minutes: number) {
    this.#out = out;
    this.#minutes = minutes;
  }

  show(progress: Progress): void {
    this.running = progress.running ?? this.running;
    const text = textOf(progress, this.#minutes);
    if (this.#out.isTTY) {
      this.#out.write(`\r\x1b[2K${text}`);
      return;
    }
    const minute = Math.floor(progress.elapsedMs / 60_000);
    if (minute > this.#shownMinute) this.#out.write(`${text}\n`);
    this.#shownMinute = minute;
  }

  end(): void {
    if (this.#out.isTTY) this.#out.write("\r\x1b[2K");
  }
}

function textOf({ running, elapsedMs, results }: Progress, minutes: number): string {
  const rounds = results.reduce((sum, result) => sum + result.rounds, 0);
  const failed = results.filter(({ failure }) => failure).map(({ target }) => target);
  return [
    `${(elapsedMs / 60_000).toFixed(1)} of ${minutes} min`,
    `${rounds} rounds`,
    ...(running ? [`${running.target} seed ${running.seed}`] : []),
    failed.length === 0 ? "no failure" : `failed: ${failed.join(", ")}`,
  ].join(", ");
}
