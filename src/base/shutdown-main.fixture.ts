/**
 * A program that stops itself with SIGINT while it waits at its top level, and drains for a moment.
 *
 * Argument: the rejection of the wait: the "reason" of the signal, an error "caused" by it, or an "other" error.
 */
import { setTimeout as delay } from "node:timers/promises";
import { shutdownSignal } from "./index.ts";

const [rejection] = process.argv.slice(2);
const signal = shutdownSignal();
const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
void stopped.then(() => delay(100)).then(() => console.log("drained"));
const wait = new Promise<never>((_, reject) => {
  signal.addEventListener("abort", () => {
    if (rejection === "reason") reject(signal.reason);
    if (rejection === "caused") reject(new Error("not synced", { cause: signal.reason }));
    if (rejection === "other") reject(new Error("something else"));
  });
});
const alive = setInterval(() => {}, 1000);
void stopped.then(() => clearInterval(alive));
process.kill(process.pid, "SIGINT");
await wait;
console.log("went on");
