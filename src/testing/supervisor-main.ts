/**
 * The process that owns a control plane's programs: see `Supervisor`, which starts it with the folder to remove.
 * It ends when told to over the pipe, and when the pipe closes because its starter is gone.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, rmSync } from "node:fs";
import { realClock } from "../base/index.ts";
import type { Order, Program, Report } from "./supervisor.ts";

const [folder] = process.argv.slice(2);
/** In order of start, those that have ended included. */
const children: ChildProcess[] = [];
let ending: Promise<void> | undefined;

process.on("message", (order: Order) => {
  if (order.type === "start") start(order.program);
  else ending ??= end(order.graceMs);
});
process.on("disconnect", abandon);
// The starter may have gone before there was anybody to hear of it.
if (!process.connected) abandon();
for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, abandon);

function start({ name, file, args, log }: Program): void {
  if (ending) return;
  const output = openSync(log, "a");
  const child = spawn(file, args, { detached: true, stdio: ["ignore", output, output] });
  closeSync(output);
  child.once("error", (error) => report({ type: "ended", name, how: error.message }));
  child.once("exit", (code, signal) =>
    report({ type: "ended", name, how: signal ? `signal ${signal}` : `exit code ${code}` }),
  );
  if (child.pid === undefined) return;
  children.push(child);
  report({ type: "started", name, pid: child.pid });
}

/** Nobody is left to wait for a gentle end, and the data is thrown away anyhow. */
function abandon(): void {
  for (const child of children) kill(child, "SIGKILL");
  ending ??= end(0);
}

async function end(graceMs: number): Promise<void> {
  for (const child of children.toReversed()) await terminate(child, graceMs);
  if (folder) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

async function terminate(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, "exit");
    kill(child, "SIGTERM");
    using _limit = realClock.timer(graceMs, () => kill(child, "SIGKILL"));
    await gone;
  }
  // What it has started itself and left behind.
  kill(child, "SIGKILL");
}

/** Signals a program and all it has started: each leads a process group of its own. */
function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Nothing of the group is left, which is what a signal is for.
  }
}

function report(message: Report): void {
  if (process.connected) process.send?.(message, () => {});
}
