// Works on the Pods of a cluster until Ctrl-C, or once with --once; on a server of its own it makes a good one and a broken one, and ends.
import { shutdownSignal } from "trimtab";
import { Lines, openStage } from "../stage.ts";
import { workOnPods } from "./queue-worker.ts";
import { someWork } from "./some-work.ts";

const ended = new AbortController();
const signal = AbortSignal.any([shutdownSignal(), ended.signal]);
const lines = new Lines(console.log);

await using stage = await openStage();
const working = workOnPods(stage.client, { say: lines.say, signal, workers: 2 });
if (stage.kubeconfig !== undefined) {
  await someWork(stage.client, lines);
  ended.abort();
} else if (stage.once) {
  await lines.told("caches are filled, workers start");
  ended.abort();
}
await working;
