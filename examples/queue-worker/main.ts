// Processes the Pods of a cluster until Ctrl-C, or once with --once. On its own server it creates a good and a broken
// Pod, and exits.
import { shutdownSignal } from "trimtab";
import { Lines, openStage } from "../stage.ts";
import { createWork } from "./create-work.ts";
import { processPods } from "./queue-worker.ts";

const ended = new AbortController();
const signal = AbortSignal.any([shutdownSignal(), ended.signal]);
const lines = new Lines(console.log);

await using stage = await openStage();
const working = processPods(stage.client, { say: lines.say, signal, workers: 2 });
if (stage.kubeconfig !== undefined) {
  await createWork(stage.client, lines);
  ended.abort();
} else if (stage.once) {
  await lines.printed("caches synced, starting workers");
  ended.abort();
}
await working;
