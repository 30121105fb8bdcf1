// Tells of Pods and Services of a cluster until Ctrl-C, or once with --once; on a server of its own it makes some come and go, and ends.
import { shutdownSignal } from "trimtab";
import { Lines, openStage } from "../stage.ts";
import { watchPodsAndServices } from "./pods-and-services.ts";
import { someChanges } from "./some-changes.ts";

const ended = new AbortController();
const signal = AbortSignal.any([shutdownSignal(), ended.signal]);
const lines = new Lines(console.log);

await using stage = await openStage();
const watching = watchPodsAndServices(stage.client, { say: lines.say, signal });
if (stage.kubeconfig !== undefined) {
  await lines.told("caches are filled");
  await someChanges(stage.client);
  await Promise.all([lines.told("Pod deleted: default/web"), lines.told("Service deleted: default/shop")]);
  ended.abort();
} else if (stage.once) {
  await lines.told("caches are filled");
  ended.abort();
}
await watching;
