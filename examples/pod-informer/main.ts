// Prints the Pods of a cluster until Ctrl-C, or once with --once. On its own server it creates some Pods and exits.
import { shutdownSignal } from "trimtab";
import { Lines, openStage } from "../stage.ts";
import { changePod, createPods } from "./create-pods.ts";
import { watchPods } from "./pod-informer.ts";

const ended = new AbortController();
const signal = AbortSignal.any([shutdownSignal(), ended.signal]);
const lines = new Lines(console.log);

await using stage = await openStage();
const own = stage.kubeconfig !== undefined;
if (own) await createPods(stage.client);
const onSynced = stage.once && !own ? () => ended.abort() : undefined;
const watching = watchPods(stage.client, { say: lines.say, signal, onSynced });
if (own) {
  await lines.printed("It has the label");
  await changePod(stage.client);
  await lines.printed("nginx");
  ended.abort();
}
await watching;
