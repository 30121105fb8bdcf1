import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A program to run, and the file to append its output to. */
export interface Program {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly log: string;
}

/** A message from this process to the supervising process. */
export type Order =
  | { readonly type: "start"; readonly program: Program }
  | { readonly type: "stop"; readonly graceMs: number };

/**
 * A message from the supervising process to this one. `how` is "exit code 1", "signal SIGSEGV", or why it did not
 * start.
 */
export type Report =
  | { readonly type: "started"; readonly name: string; readonly pid: number }
  | { readonly type: "ended"; readonly name: string; readonly how: string };

export interface SupervisorOptions {
  /** How long a program may take to end after SIGTERM before it is killed. @default 10_000 */
  readonly graceMs?: number | undefined;
}

/**
 * Runs programs and removes a folder, so that neither outlives this process.
 *
 * The programs are children of a separate process, which holds the other end of a pipe. When the pipe closes, for any
 * reason, that process kills them and removes the folder. It has its own session, so Ctrl-C reaches only this process,
 * which then closes everything in order. The supervisor does not keep this process alive.
 */
export class Supervisor implements AsyncDisposable {
  readonly #folder: string;
  readonly #graceMs: number;
  readonly #process: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #failure = new AbortController();
  readonly #pids = new Map<string, number>();
  #closed: Promise<void> | undefined;

  /** @param folder Removed with its content at the end. It contains the log of the supervising process. */
  constructor(folder: string, { graceMs = 10_000 }: SupervisorOptions = {}) {
    this.#folder = folder;
    this.#graceMs = graceMs;
    this.#process = spawnSupervisor(folder);
    this.#exited = ended(this.#process);
    this.#process.on("message", (report: Report) => this.#handleReport(report));
    this.#process.once("error", (error) => this.#fail("the supervisor process", error.message));
    this.#process.once("exit", () => this.#fail("the supervisor process", "its exit"));
  }

  /** Aborts when a program has ended or could not start before `close()`. */
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

  /** Stops the programs in reverse start order and removes the folder. */
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
    await this.#exited;
    await rm(this.#folder, { recursive: true, force: true });
  }

  #send(order: Order): void {
    // If the supervising process has exited, `failed` has aborted or is about to.
    if (this.#process.connected) this.#process.send(order, () => {});
  }

  #handleReport(report: Report): void {
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

/** Returns Node's arguments for the program next to this file, with a loader when this file is TypeScript. */
function entry(): string[] {
  if (!import.meta.url.endsWith(".ts")) return [siblingPath("supervisor-main.js")];
  const loader = createRequire(import.meta.url).resolve("tsx");
  return ["--import", pathToFileURL(loader).href, siblingPath("supervisor-main.ts")];
}

function siblingPath(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid !== undefined) await once(child, "exit");
}
