import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A program to run, and the file its output is added to. */
export interface Program {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly log: string;
}

/** What this process tells the supervising one. */
export type Order =
  | { readonly type: "start"; readonly program: Program }
  | { readonly type: "stop"; readonly graceMs: number };

/** What the supervising process tells this one. `how` is "exit code 1", "signal SIGSEGV", or why it did not start. */
export type Report =
  | { readonly type: "started"; readonly name: string; readonly pid: number }
  | { readonly type: "ended"; readonly name: string; readonly how: string };

export interface SupervisorOptions {
  /** How long a program may take to end by itself when asked to; then it is killed. @default 10_000 */
  readonly graceMs?: number | undefined;
}

/**
 * Runs programs that cannot outlive this process, and a folder that cannot either.
 *
 * The programs are children of a process of their own, which holds the other end of a pipe: when the pipe closes,
 * however this process ended, that one kills them and removes the folder. It has a session of its own too, so that
 * Ctrl-C reaches this process alone, which then closes what it has opened in order. None of it keeps this process alive.
 */
export class Supervisor implements AsyncDisposable {
  readonly #folder: string;
  readonly #graceMs: number;
  readonly #process: ChildProcess;
  readonly #gone: Promise<void>;
  readonly #failure = new AbortController();
  readonly #pids = new Map<string, number>();
  #closed: Promise<void> | undefined;

  /** @param folder removed with everything in it at the end; it holds the supervising process's own log. */
  constructor(folder: string, { graceMs = 10_000 }: SupervisorOptions = {}) {
    this.#folder = folder;
    this.#graceMs = graceMs;
    this.#process = spawnSupervisor(folder);
    this.#gone = ended(this.#process);
    this.#process.on("message", (report: Report) => this.#note(report));
    this.#process.once("error", (error) => this.#fail("the supervising process", error.message));
    this.#process.once("exit", () => this.#fail("the supervising process", "its end"));
  }

  /** Aborts when a program has ended, or could not start, before `close()`. */
  get failed(): AbortSignal {
    return this.#failure.signal;
  }

  /** Process ids of the programs that have started, by name. */
  get pids(): ReadonlyMap<string, number> {
    return this.#pids;
  }

  start(program: Program): void {
    this.#send({ type: "start", program });
  }

  /** Ends the programs, the last started first, and removes the folder. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#process.ref();
    this.#send({ type: "stop", graceMs: this.#graceMs });
    await this.#gone;
    await rm(this.#folder, { recursive: true, force: true });
  }

  #send(order: Order): void {
    // An order that does not arrive has no one to obey it: `failed` has told, or is about to.
    if (this.#process.connected) this.#process.send(order, () => {});
  }

  #note(report: Report): void {
    if (report.type === "started") this.#pids.set(report.name, report.pid);
    else this.#fail(report.name, report.how);
  }

  #fail(name: string, how: string): void {
    if (this.#closed) return;
    this.#failure.abort(new Error(`expected ${name} to run until it is closed, got ${how}`));
  }
}

function spawnSupervisor(folder: string): ChildProcess {
  const log = openSync(join(folder, "supervisor.log"), "a");
  const child = spawn(process.execPath, [...entry(), folder], {
    detached: true,
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  child.unref();
  child.channel?.unref();
  return child;
}

/** Node's arguments for the program beside this file; it needs a loader where this runs from source. */
function entry(): string[] {
  if (!import.meta.url.endsWith(".ts")) return [beside("supervisor-main.js")];
  const loader = createRequire(import.meta.url).resolve("tsx");
  return ["--import", pathToFileURL(loader).href, beside("supervisor-main.ts")];
}

function beside(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid !== undefined) await once(child, "exit");
}
