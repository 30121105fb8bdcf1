import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { asError, type Clock, type Logger, type Timer } from "../base/index.ts";
import { ConfigError } from "../client/index.ts";
import { Listeners } from "./listeners.ts";

export interface FilesContext {
  /** Names the server in log entries. */
  readonly server: string;
  readonly log: Logger;
  readonly clock: Clock;
}

export interface WatchedFilesOptions<T> {
  /** Reads and checks the files. Throws a `ConfigError` if their content is invalid. */
  read(): T;
  /** Returns why valid content cannot be used now, such as that it has expired. `undefined` if it can. */
  problemOf(content: T): string | undefined;
  /** Its fields name the server. */
  readonly log: Logger;
  readonly clock: Clock;
}

/**
 * The content of files, which are read every ten seconds. New content that cannot be read or used is logged once, and
 * the last good content stays.
 */
export class WatchedFiles<T> implements Disposable {
  readonly #options: WatchedFilesOptions<T>;
  readonly #listeners = new Listeners();
  #current: { readonly content: T } | undefined;
  #timer: Timer | undefined;
  /** The problem that was logged last. `undefined` once the files are good. */
  #problem: string | undefined;

  constructor(options: WatchedFilesOptions<T>) {
    this.#options = options;
  }

  /** The last good content. Throws before `start`. */
  get current(): T {
    if (this.#current) return this.#current.content;
    throw new Error("files not loaded yet");
  }

  /** Reads the files, and then every ten seconds. Throws a `ConfigError` if their content is invalid. */
  start(): void {
    const content = this.#options.read();
    // Expired content is used all the same: its renewal may arrive at any time, and the rest of the program can work.
    this.#report(this.#options.problemOf(content));
    this.#current = { content };
    this.#schedule();
  }

  /** Calls `listener` after `current` has changed. */
  onChange(listener: () => void): Disposable {
    return this.#listeners.add(listener);
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
  }

  #schedule(): void {
    this.#timer = this.#options.clock.timer(
      reloadMs,
      () => {
        this.#schedule();
        this.#reload();
      },
      { background: true },
    );
  }

  #reload(): void {
    const found = this.#read();
    if (!found) return;
    const problem = this.#options.problemOf(found.content);
    const unchanged = isDeepStrictEqual(found.content, this.#current?.content);
    this.#report(problem);
    if (unchanged || problem !== undefined) return;
    this.#current = found;
    this.#options.log.info("certificate reloaded");
    this.#listeners.notify();
  }

  #read(): { readonly content: T } | undefined {
    try {
      return { content: this.#options.read() };
    } catch (error) {
      this.#report(asError(error).message);
      return undefined;
    }
  }

  #report(problem: string | undefined): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    if (problem === undefined) return;
    this.#options.log.error("certificate is invalid; keeping the current one", { error: problem });
  }
}

const reloadMs = 10_000;

/**
 * Returns the text of a file. It is read synchronously, so that a certificate and its key are read at one moment.
 *
 * @throws {ConfigError} if the file cannot be read
 */
export function textOf(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(`expected ${what} in ${file}, got ${asError(error).message}`, { cause: error });
  }
}
