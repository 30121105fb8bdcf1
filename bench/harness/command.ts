import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Reading } from "./bench.ts";

/** Maximum time of a case, so that a peer that hangs does not hang the bench. */
const timeoutMs = 600_000;
/** Size of the error output that is kept to find the reason of a failure. */
const errorTail = 4096;

/**
 * Runs a program to its end and collects the figures it prints: lines such as `{"figure":"rate","value":1234}`.
 * Other lines are ignored. A program that fails, or prints no figure, is an error with the reason from its output. It
 * does not outlive this process, because it would disturb the next measurement.
 */
export async function runCommand(command: readonly string[]): Promise<Reading> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], timeout: timeoutMs });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-errorTail);
  });
  const reading: Record<string, number> = {};
  createInterface(child.stdout).on("line", (line) => Object.assign(reading, parseFigure(line)));
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const ending = await ended(child).finally(() => process.off("exit", kill));
  if (ending !== "code 0" || Object.keys(reading).length === 0) {
    throw new Error(`expected figures, got ${ending}: ${reasonIn(errors)}`);
  }
  return reading;
}

function parseFigure(line: string): Reading {
  if (!line.startsWith('{"figure"')) return {};
  // Our own peers write these lines. A wrong shape shows as a missing figure in the report.
  const { figure, value } = JSON.parse(line) as { figure: string; value: number };
  return { [figure]: value };
}

/** Returns the line that names the error, or else the last line. */
function reasonIn(errors: string): string {
  const lines = errors.trim().split("\n");
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? "";
}

function ended(child: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(signal ?? `code ${code}`));
  });
}
