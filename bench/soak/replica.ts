import { once } from "node:events";
import { controller, manager, owns } from "trimtab";
import { ConfigMap, Secret } from "trimtab/api/core/v1";
import { connect } from "trimtab/client";
import { liveBytes } from "../harness/live-bytes.ts";
import { replicaAgent } from "./faults.ts";
import type { ReplicaReport } from "./replicas.ts";
import { stuckName } from "./writer.ts";

/**
 * One replica of an operator with leader election, in a separate process. It answers every message with a report, and
 * exits when its parent disconnects. Arguments: kubeconfig, identity.
 * It has two controllers: one keeps a Secret for each ConfigMap, the other has a reconcile that does not return.
 */
const [kubeconfig, identity = ""] = process.argv.slice(2);
const stop = new AbortController();
let reconciles = 0;

/** Keeps a Secret for each ConfigMap: a write for every change, and an event of an owned object. */
const secrets = controller({
  name: "secrets",
  for: ConfigMap,
  on: [owns(Secret)],
  debounce: { quietMs: 100, maxMs: 1000 },
  concurrency: 4,
  async reconcile(key, { client }): Promise<void> {
    reconciles += 1;
    const map = await client.get(ConfigMap, key);
    if (!map) {
      await client.delete(Secret, key);
      return;
    }
    const stringData = { write: map.data?.write ?? "" };
    await client.apply(Secret, { metadata: { ...key }, stringData }, { owner: map });
  },
});

let stuckReconciles = 0;

/** Its only reconcile returns when the replica stops. Meanwhile its key gets many events. */
const stuck = controller({
  name: "stuck",
  for: ConfigMap,
  when: (event) => event.key === `default/${stuckName}`,
  async reconcile(_, { signal }): Promise<void> {
    stuckReconciles += 1;
    if (!signal.aborted) await once(signal, "abort");
  },
});

const client = await connect({ kubeconfig, userAgent: `${replicaAgent}-${identity}`, log: silent() });
const running = manager({
  controllers: [secrets, stuck],
  client,
  namespaces: ["default"],
  leaderElection: { name: "soak", identity },
  metrics: false,
  health: false,
  log: silent(),
});

process.on("message", (message) => void report(message === "memory"));
process.once("disconnect", () => stop.abort(new Error("the soak is over")));
const over = running.run({ signal: stop.signal });
await running.ready;
process.send?.("ready");
await over;
await client.close();

async function report(memory: boolean): Promise<void> {
  const bytes = memory ? await liveBytes() : 0;
  const copy = running.cache
    .of(ConfigMap)
    .views()
    .map(({ metadata }): [string, string] => [
      `${metadata.namespace}/${metadata.name}`,
      metadata.resourceVersion ?? "",
    ]);
  const { heapUsed, rss } = process.memoryUsage();
  const counts = { reconciles, stuckReconciles };
  process.send?.({ bytes, heapBytes: heapUsed, rssBytes: rss, ...counts, copy } satisfies ReplicaReport);
}

/** Failures are expected here. */
function silent(): NonNullable<NonNullable<Parameters<typeof connect>[0]>["log"]> {
  const log = { debug() {}, info() {}, warn() {}, error() {}, with: () => log };
  return log;
}
