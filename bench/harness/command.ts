import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Reading } from "./bench.ts";

/** Longer than any case should take: a peer that hangs must not hang the bench. */
const timeoutMs = 180_000;
/** How much of what a failed program wrote to its error output is worth repeating. */
const errorTail = 600;

/**
 * Runs a program to its end and gathers the figures it printed: lines such as `{"figure":"rate","value":1234}`.
 *
 * Other lines are ignored. A program that fails, or prints no figure, is an error that ends with what it wrote last.
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
  const ending = await ended(child);
  if (ending !== "code 0" || Object.keys(reading).length === 0) {
    throw new Error(`expected figures from ${command.join(" ")}, got ${ending}: ${errors.trim()}`);
  }
  return reading;
}

function parseFigure(line: string): Reading {
  if (!line.startsWith('{"figure"')) return {};
  // Written by our own peers: a wrong shape shows as a figure that is missing in the report.
  const { figure, value } = JSON.parse(line) as { figure: string; value: number };
  return { [figure]: value };
}

function ended(child: ReturnType<typeof spawn>): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve(signal ?? `code ${code}`));
  });
}
