import { readFileSync } from "node:fs";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { UserError } from "./user-error.ts";

/** The input and output of a command. */
export interface Terminal {
  /** Writes to standard output. */
  write(text: string): void;
  /** Writes to standard error. */
  writeError(text: string): void;
  /** Installs signal handlers. The returned signal aborts on Ctrl-C and other termination signals. */
  shutdownSignal(): AbortSignal;
}

/** Runs the command that the arguments name. Resolves with the exit code; rejects only for bugs. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await program(terminal).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    // Commander has printed the message. Help and version are not errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof UserError)) throw error;
    terminal.writeError(`trimtab: ${error.message}\n`);
    return 1;
  }
}

function program(terminal: Terminal): Command {
  const trimtab = new Command("trimtab")
    .description("Kubernetes controllers in TypeScript")
    .version(packageVersion(), "-v, --version", "print the version of this package")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError })
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
      "address to listen on; beyond loopback, every holder of the token is administrator",
      "127.0.0.1",
    )
    .option("--kubeconfig <file>", "file to write the kubeconfig to; it is kept (default: a temporary file)")
    .action(async (options) => {
      const signal = terminal.shutdownSignal();
      const { serve } = await import("./serve.ts"); // loaded late, so that help starts fast
      await serve({ ...options, write: terminal.write, signal });
    });
}

function portNumber(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("expected a number from 0 to 65535");
}

function packageVersion(): string {
  // The same relative path works from `src` and from `dist`.
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}
