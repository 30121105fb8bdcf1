import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const loader = createRequire(import.meta.url).resolve("tsx");

/** A program that runs as `npm start` runs it, without a terminal. */
export class Started {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #code: Promise<number | null>;
  #printed = "";
  #onPrinted = (): void => {};

  constructor(program: URL, ...flags: readonly string[]) {
    this.#child = spawn(process.execPath, ["--import", loader, fileURLToPath(program), ...flags], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#code = once(this.#child, "close").then(([code]) => code as number | null); // as Node documents it
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.on("data", (chunk) => {
        this.#printed += String(chunk);
        this.#onPrinted();
      });
    }
  }

  /** What has been printed, as soon as this is in it. */
  async printing(text: string): Promise<string> {
    const told = new Promise<void>((resolve) => {
      this.#onPrinted = () => this.#printed.includes(text) && resolve();
      this.#onPrinted();
    });
    await this.during(told);
    return this.#printed;
  }

  /** Waits for the work, which the program has to be running for. */
  during<T>(work: Promise<T>): Promise<T> {
    const over = this.#code.then((code) => {
      throw new Error(`expected the program to go on, got an end with ${code} after\n${this.#printed}`);
    });
    return Promise.race([work, over]);
  }

  /** Its lines, when it has ended by itself or by the signal. Throws if it does not end well. */
  async end(signal?: NodeJS.Signals): Promise<string[]> {
    if (signal) this.#child.kill(signal);
    const code = await this.#code;
    if (code === 0) return this.#printed.trimEnd().split("\n");
    throw new Error(`expected the program to end with 0, got ${code} after\n${this.#printed}`);
  }
}

/** The lines that a program prints until it ends. Throws if it does not end well. */
export function outputOf(program: URL, ...flags: readonly string[]): Promise<string[]> {
  return new Started(program, ...flags).end();
}
