import { type AnyKind, type KubeObject, kind } from "trimtab/api";
import { Pod } from "trimtab/api/core/v1";
import { informers } from "trimtab/cache";
import { connect } from "trimtab/client";
import { WorkQueue } from "trimtab/queue";
import { runInformerCase } from "./informer-case.ts";

const Website = kind({
  group: "bench.trimtab.dev",
  version: "v1",
  kind: "Website",
  plural: "websites",
  namespaced: true,
});

await runInformerCase(async ({ kubeconfig, resource, reads }) => {
  const factory = informers({ client: await connect({ kubeconfig }), syncTimeoutMs: 600_000 });
  const watched: AnyKind<KubeObject> = resource === "pods" ? Pod : Website;
  const informer = factory.for(watched);
  const queue = new WorkQueue();
  const work = async (): Promise<void> => {
    for await (const lease of queue) {
      if (reads && !informer.lister.get(lease.key)) throw new Error(`expected ${lease.key} in the cache`);
      lease[Symbol.dispose]();
    }
  };
  return {
    async start(updated) {
      const subscription = informer.on((event) => {
        if (event.type !== "updated") return;
        queue.add(event.key);
        updated(() => event.object.metadata.annotations?.["bench.trimtab.dev/sent-us"]);
      });
      factory.start({ signal: new AbortController().signal });
      await subscription.synced;
      work().catch((error: unknown) => {
        process.stderr.write(`${error}\n`);
        process.exit(1);
      });
    },
    count: () => [...informer.lister.keys()].length,
    drained: () => queue.close(),
  };
});
