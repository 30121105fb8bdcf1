import { spawn } from "node:child_process";
import { EventEmitter, getEventListeners, once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { onAbort, type SignalSource, signalFrom } from "./signals.ts";
import { settled } from "./virtual-clock.ts";

/** A process that receives signals on request, and records its exits instead of ending. */
class StandIn extends EventEmitter implements SignalSource {
  readonly exits: number[] = [];

  exit(code: number): void {
    this.exits.push(code);
  }
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"])(
  "the first %s aborts with its name, and does not end the process",
  (name) => {
    const source = new StandIn();
    const signal = signalFrom(source);
    expect(signal.aborted).toBe(false);
    source.emit(name, name);
    expect([String(signal.reason), source.exits]).toEqual([`Error: received ${name}`, []]);
  },
);

test.each([
  ["SIGINT", "SIGINT"],
  ["SIGINT", "SIGTERM"],
  ["SIGTERM", "SIGINT"],
  ["SIGTERM", "SIGTERM"],
  ["SIGHUP", "SIGINT"],
  ["SIGHUP", "SIGTERM"],
])("after %s, %s ends the process with 1", (first, second) => {
  const source = new StandIn();
  const signal = signalFrom(source);
  source.emit(first, first);
  source.emit(second, second);
  expect([String(signal.reason), source.exits]).toEqual([`Error: received ${first}`, [1]]);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"])("after %s, SIGHUP does not end the process", (first) => {
  const source = new StandIn();
  const signal = signalFrom(source);
  source.emit(first, first);
  source.emit("SIGHUP", "SIGHUP");
  expect([String(signal.reason), source.exits]).toEqual([`Error: received ${first}`, []]);
});

test("after a signal, an uncaught error is left to the other listeners of the process, once", async () => {
  const source = new StandIn();
  signalFrom(source);
  const handled: unknown[] = [];
  source.on("uncaughtException", (error) => handled.push(error));
  source.emit("SIGTERM", "SIGTERM");
  source.emit("uncaughtException", "first");
  source.emit("uncaughtException", "second");
  await settled();
  expect(handled).toEqual(["first", "second"]);
});

/** A program that ignores its signal and never ends. */
const stubborn = `
  const { shutdownSignal } = await import(${JSON.stringify(new URL("signals.ts", import.meta.url).href)});
  const signal = shutdownSignal();
  signal.addEventListener("abort", () => console.log(signal.reason.message));
  try { shutdownSignal(); } catch (error) { console.log(error.message); }
  setInterval(() => {}, 1000);
`;

test("the first signal aborts, and the second ends the process", async () => {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const args = ["--import", loader, "--input-type=module", "--eval", stubborn];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit");
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    child.kill("SIGTERM");
  }
  expect(lines).toEqual([
    "expected one call of shutdownSignal() per process, got a second: pass the first one's signal on",
    "received SIGTERM",
  ]);
  expect(await ended).toEqual([1, null]);
});

test("onAbort notifies once, with the reason", () => {
  const stop = new AbortController();
  const reasons: unknown[] = [];
  using _listener = onAbort(stop.signal, (reason) => reasons.push(reason));
  expect(reasons).toEqual([]);
  stop.abort("enough");
  stop.abort("again");
  expect(reasons).toEqual(["enough"]);
});

test("onAbort notifies immediately for an aborted signal, and adds no listener", () => {
  const signal = AbortSignal.abort("enough");
  const reasons: unknown[] = [];
  using _listener = onAbort(signal, (reason) => reasons.push(reason));
  expect([reasons, getEventListeners(signal, "abort")]).toEqual([["enough"], []]);
});

test("onAbort does not notify once disposed, and leaves no listener", () => {
  const stop = new AbortController();
  const reasons: unknown[] = [];
  onAbort(stop.signal, (reason) => reasons.push(reason))[Symbol.dispose]();
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  stop.abort();
  expect(reasons).toEqual([]);
});

test("many listeners of one signal cause no leak warning of Node", async () => {
  const { signal } = new AbortController();
  const warnings: string[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning.message);
  process.on("warning", onWarning);
  onTestFinished(() => void process.off("warning", onWarning));
  const followers = Array.from({ length: 50 }, () => onAbort(signal, () => {}));
  await settled();
  for (const follower of followers) follower[Symbol.dispose]();
  expect(warnings).toEqual([]);
});

test("onAbort without a signal never notifies", () => {
  const reasons: unknown[] = [];
  onAbort(undefined, (reason) => reasons.push(reason))[Symbol.dispose]();
  expect(reasons).toEqual([]);
});
