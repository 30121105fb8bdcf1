// Tells of the Pods of a cluster until Ctrl-C, or once with --once; on a server of its own it makes some, and ends when they have been told.
import { shutdownSignal } from "trimtab";
import { Lines, openStage } from "../stage.ts";
import { watchPods } from "./pod-informer.ts";
import { aChange, somePods } from "./some-pods.ts";

const ended = new AbortController();
const signal = AbortSignal.any([shutdownSignal(), ended.signal]);
const lines = new Lines(console.log);

await using stage = await openStage();
const own = stage.kubeconfig !== undefined;
if (own) await somePods(stage.client);
const onSynced = stage.once && !own ? () => ended.abort() : undefined;
const watching = watchPods(stage.client, { say: lines.say, signal, onSynced });
if (own) {
  await lines.told("It has the label");
  await aChange(stage.client);
  await lines.told("nginx");
  ended.abort();
}
await watching;
