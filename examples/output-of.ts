import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const loader = createRequire(import.meta.url).resolve("tsx");

/** A program that runs as under `npm start`, without a terminal. */
export class Started {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #code: Promise<number | null>;
  #printed = "";
  #onPrinted = (): void => {};

  constructor(program: URL, ...flags: readonly string[]) {
    this.#child = spawn(process.execPath, ["--import", loader, fileURLToPath(program), ...flags], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#code = once(this.#child, "close").then(([code]) => code as number | null); // Node documents this type
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.on("data", (chunk) => {
        this.#printed += String(chunk);
        this.#onPrinted();
      });
    }
  }

  /** Waits until the output contains `text`, and returns the output. */
  async printing(text: string): Promise<string> {
    const contained = new Promise<void>((resolve) => {
      this.#onPrinted = () => this.#printed.includes(text) && resolve();
      this.#onPrinted();
    });
    await this.during(contained);
    return this.#printed;
  }

  /** Awaits `work`. Rejects if the program exits first. */
  during<T>(work: Promise<T>): Promise<T> {
    const over = this.#code.then((code) => {
      throw new Error(`expected the program to keep running, got exit code ${code} after\n${this.#printed}`);
    });
    return Promise.race([work, over]);
  }

  /**
   * Waits for the exit, after sending `signal` if given, and returns the output lines. Throws for an exit code other
   * than 0.
   */
  async end(signal?: NodeJS.Signals): Promise<string[]> {
    if (signal) this.#child.kill(signal);
    const code = await this.#code;
    if (code === 0) return this.#printed.trimEnd().split("\n");
    throw new Error(`expected exit code 0, got ${code} after\n${this.#printed}`);
  }
}

/** Returns the lines that a program prints until it exits. Throws for an exit code other than 0. */
export function outputOf(program: URL, ...flags: readonly string[]): Promise<string[]> {
  return new Started(program, ...flags).end();
}
