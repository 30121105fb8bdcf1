import { readFileSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { UserError } from "./user-error.ts";

/** What commands need of where they run. */
export interface Terminal {
  /** To standard output. */
  write(text: string): void;
  /** To standard error. */
  complain(text: string): void;
  /** Takes the process's signals: aborts when the person has had enough. */
  untilStopped(): AbortSignal;
}

/** Runs the command that the arguments name. Gives the exit code; rejects for nothing but a bug. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await program(terminal).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    // Commander has said what it is about; help and version are no mistakes.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof UserError)) throw error;
    terminal.complain(`trimtab: ${error.message}\n`);
    return 1;
  }
}

function program(terminal: Terminal): Command {
  const trimtab = new Command("trimtab")
    .description("Kubernetes controllers in TypeScript")
    .version(packageVersion(), "-v, --version", "print the version of this package")
    .helpOption("-h, --help", "say what there is")
    .helpCommand(false)
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.complain })
    .exitOverride();
  trimtab.addCommand(serveCommand(terminal).copyInheritedSettings(trimtab));
  return trimtab;
}

function serveCommand(terminal: Terminal): Command {
  return new Command("serve")
    .description("run a Kubernetes API server in memory until Ctrl-C, for kubectl and controllers to try")
    .option("-p, --port <number>", "port to listen on (default: a free one)", portNumber)
    .option(
      "--host <address>",
      "address to listen on; beyond loopback, whoever has the token may do everything",
      "127.0.0.1",
    )
    .option("--kubeconfig <file>", "where to write the kubeconfig, which stays (default: a temporary file)")
    .action(async (options) => {
      const signal = terminal.untilStopped();
      const { serve } = await import("./serve.ts"); // help need not wait for a server to load
      await serve({ ...options, write: terminal.write, signal });
    });
}

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("expected a number from 0 to 65535");
}

function packageVersion(): string {
  // Beside `src` and beside `dist`.
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
