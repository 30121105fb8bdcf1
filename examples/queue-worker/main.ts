// Works on the Pods of a cluster until Ctrl-C; on a server of its own it makes a good one and a broken one, and ends.
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
}
await working;
