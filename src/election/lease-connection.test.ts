import { expect, test } from "vitest";
import { Lease } from "../api/types/coordination/v1.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { seededRng } from "../base/index.ts";
import { connect } from "../client/index.ts";
import { startCluster } from "../testing/index.ts";
import { Elector } from "./index.ts";

test("40 writes that wait for a slow webhook do not cost leadership, even with few connections and a rate limit", async () => {
  const slow = { on: { verb: "patch" as const }, fault: { type: "delay" as const, ms: 600_000 } };
  await using cluster = await startCluster({ listen: true, faults: [slow] });
  await cluster.client.create(ConfigMap, { metadata: { name: "x" } });
  await using client = await connect({
    kubeconfig: cluster.kubeconfig,
    http: { connections: 2 },
    rateLimit: { perSecond: 0.001, burst: 40 },
  });
  const timing = { leaseDurationMs: 3000, renewDeadlineMs: 1000, retryPeriodMs: 100 };
  const elector = new Elector({ client, name: "crown", identity: "a", rng: seededRng(1), ...timing });
  const stop = new AbortController();
  let writes: Promise<unknown> = Promise.resolve();
  const lead = async (signal: AbortSignal): Promise<void> => {
    const patch = () =>
      client.patch(ConfigMap, "x", { merge: { data: { a: "1" } } }, { signal: stop.signal });
    writes = Promise.allSettled(Array.from({ length: 40 }, patch));
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  };
  const over = elector.run(lead, { signal: stop.signal }).then(
    () => "done",
    (error: Error) => error.message,
  );
  const renewed = async (): Promise<string> => {
    let renewals = 0;
    for await (const { type } of cluster.client.watch(Lease, { signal: stop.signal })) {
      if (type === "modified") renewals += 1;
      if (renewals === 20) break;
    }
    return "renewed 20 times";
  };
  expect(await Promise.race([over, renewed()])).toBe("renewed 20 times");
  stop.abort(new Error("the test is over"));
  await writes;
  expect(await over).toBe("done");
});
