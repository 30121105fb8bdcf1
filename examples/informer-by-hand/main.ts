// Processes the Pods of a cluster until Ctrl-C, or once with --once. On its own server it changes some Pods, and exits.
import { shutdownSignal } from "trimtab";
import { Lines, openStage } from "../stage.ts";
import { changePods, createFirst } from "./change-pods.ts";
import { runByHand } from "./informer-by-hand.ts";

const ended = new AbortController();
const signal = AbortSignal.any([shutdownSignal(), ended.signal]);
const lines = new Lines(console.log);

await using stage = await openStage();
const own = stage.kubeconfig !== undefined;
if (own) await createFirst(stage.client);
const running = runByHand(stage.client, { say: lines.say, signal });
if (own) {
  await changePods(stage.client, lines);
  ended.abort();
} else if (stage.once) {
  await lines.printed("caches synced, starting the worker");
  ended.abort();
}
await running;
