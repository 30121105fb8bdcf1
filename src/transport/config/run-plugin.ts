import type { ChildProcess } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import type { Clock, LogStream } from "../../base/index.ts";
import { systemCode } from "./config-error.ts";

export interface PluginRun {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment. Its PATH determines where the command is found. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The terminal for prompts. Without one, standard input is empty and the run has to end within `limitMs`. */
  readonly terminal?: LogStream | undefined;
  readonly limitMs: number;
  readonly clock: Clock;
}

/** Limit of the output in bytes, far more than any credential. */
const outputLimit = 1_048_576;
const errorTailLimit = 2_000;

/** Thrown if the program does not exist. */
export class PluginMissingError extends Error {
  override readonly name: string = "PluginMissingError";
}

/**
 * Runs a program, without a shell, and returns its standard output.
 * Error messages continue `expected credential plugin "aws" …`, so they start with "to".
 */
export function runPlugin(run: PluginRun): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = start(run); // if it throws, the promise rejects
    const output = new Output(child, run.terminal);
    const end = (settle: () => void): void => {
      timer?.cancel();
      settle();
    };
    const stop = (error: Error): void =>
      end(() => {
        kill(child);
        reject(error);
      });
    const timer = run.terminal
      ? undefined
      : run.clock.timer(run.limitMs, () =>
          stop(new Error(`to end within ${run.limitMs} ms, got no end${output.tail}`)),
        );
    output.onTooLong = () => stop(new Error(`to print at most ${outputLimit} bytes, got more`));
    child.once("error", (error) => end(() => reject(startError(error))));
    child.once("close", (code, signal) =>
      end(() => (code === 0 ? resolve(output.text) : reject(exitError(code ?? signal, output.tail)))),
    );
  });
}

function start({ command, args, env, terminal }: PluginRun): ChildProcess {
  // loaded on use: it takes as long to load as ten of our modules, and most processes do not need it
  const { spawn } = process.getBuiltinModule("node:child_process");
  try {
    return spawn(command, args, {
      env,
      shell: false,
      windowsHide: true,
      stdio: [terminal ? "inherit" : "ignore", "pipe", "pipe"],
    });
  } catch (error) {
    throw startError(error);
  }
}

/** Kills the process and closes its pipes, which a grandchild may keep open. */
function kill(child: ChildProcess): void {
  child.kill("SIGKILL");
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/**
 * Keeps only the error code, because Node's errors contain the plugin's arguments and environment, which may be
 * secrets.
 */
function startError(error: unknown): Error {
  const code = systemCode(error);
  if (code === "ENOENT") return new PluginMissingError("to be a program on this machine, got ENOENT");
  return new Error(`to start, got ${/^\w+$/.test(code) ? code : "an error"}`);
}

function exitError(ending: number | string | null, tail: string): Error {
  return new Error(`to exit with 0, got ${ending}${tail}`);
}

/** Collects the complete standard output, and the end of standard error. */
class Output {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #errors = "";
  onTooLong: () => void = () => {};

  constructor(child: ChildProcess, terminal: LogStream | undefined) {
    child.stdout?.on("data", (chunk: Buffer) => this.#add(chunk));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-errorTailLimit);
      terminal?.write(text);
    });
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }

  /** The end of standard error after ": ", or an empty string. */
  get tail(): string {
    const text = printable(this.#errors).trim();
    return text === "" ? "" : `: ${text}`;
  }

  #add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > outputLimit) this.onTooLong();
    else this.#chunks.push(chunk);
  }
}

/** Removes control characters, because messages contain output of plugins and may be printed on a terminal. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]/gu, "");
}
