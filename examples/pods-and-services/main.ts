// Prints changes of Pods and Services until Ctrl-C, or once with --once. On its own server it creates and deletes some,
// and exits.
import { shutdownSignal } from "trimtab";
import { Lines, openStage } from "../stage.ts";
import { changeObjects } from "./change-objects.ts";
import { watchPodsAndServices } from "./pods-and-services.ts";

const ended = new AbortController();
const signal = AbortSignal.any([shutdownSignal(), ended.signal]);
const lines = new Lines(console.log);

await using stage = await openStage();
const watching = watchPodsAndServices(stage.client, { say: lines.say, signal });
if (stage.kubeconfig !== undefined) {
  await lines.printed("caches synced");
  await changeObjects(stage.client);
  await Promise.all([
    lines.printed("Pod deleted: default/web"),
    lines.printed("Service deleted: default/shop"),
  ]);
  ended.abort();
} else if (stage.once) {
  await lines.printed("caches synced");
  ended.abort();
}
await watching;
