import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const loader = createRequire(import.meta.url).resolve("tsx");

/** Runs a program as `npm start` does, without a terminal. */
export function start(program: URL, ...flags: readonly string[]) {
  const child = spawn(process.execPath, ["--import", loader, fileURLToPath(program), ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { child, ended: once(child, "exit") };
}

/** The lines that a program prints until it ends. Throws if it does not end well. */
export async function outputOf(program: URL, ...flags: readonly string[]): Promise<string[]> {
  const { child, ended } = start(program, ...flags);
  const printed = Buffer.concat(await child.stdout.toArray()).toString();
  const [code] = await ended;
  if (code !== 0) throw new Error(`expected the program to end with 0, got ${code} after\n${printed}`);
  return printed.trimEnd().split("\n");
}
