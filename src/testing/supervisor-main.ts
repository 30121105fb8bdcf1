/**
 * The process that owns the programs of a control plane. `Supervisor` starts it with the folder to remove. It ends when
 * it receives a stop order over the pipe, and when the pipe closes because the starting process has exited.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, rmSync } from "node:fs";
import { realClock } from "../base/index.ts";
import type { Order, Program, Report } from "./supervisor.ts";

const [folder] = process.argv.slice(2);
/** All started programs in start order, including those that have ended. */
const children: ChildProcess[] = [];
let ending: Promise<void> | undefined;

process.on("message", (order: Order) => {
  if (order.type === "start") start(order.program);
  else ending ??= end(order.graceMs);
});
process.on("disconnect", abandon);
// The starting process may have exited before the listener above was added.
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

/** Kills all programs at once: no process waits for a graceful end, and the data is deleted. */
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
    const exited = once(child, "exit");
    kill(child, "SIGTERM");
    using _limit = realClock.timer(graceMs, () => kill(child, "SIGKILL"));
    await exited;
  }
  // Kills the remaining processes that the program has started.
  kill(child, "SIGKILL");
}

/** Signals a program and all processes that it has started: each program leads its own process group. */
function kill({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // No process of the group is left, so no signal is needed.
  }
}

function report(message: Report): void {
  if (process.connected) process.send?.(message, () => {});
}
