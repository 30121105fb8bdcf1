import { loggerTo, RetryAfterError } from "trimtab";
import { type Cluster, startCluster, VirtualClock } from "trimtab/testing";
import { expect, test } from "vitest";
import { type DnsProvider, DnsRecord, dnsRecords, type Entry } from "./dns.ts";
import { MemoryProvider } from "./memory-provider.ts";

const hostname = "www.example.dev";
const wanted: Entry = { address: "192.0.2.1", ttlSeconds: 300 };

/** Returns a cluster with the DnsRecord www. */
async function running(provider: DnsProvider): Promise<Cluster> {
  const cluster = await startCluster({ kinds: [DnsRecord], clock: new VirtualClock() });
  await cluster.run({ controllers: [dnsRecords(provider)], log: loggerTo(() => {}) }); // the failures are meant
  await cluster.client.create(DnsRecord, {
    metadata: { name: "www" },
    spec: { hostname, address: wanted.address },
  });
  await cluster.settled();
  return cluster;
}

/** Returns the status, reason and message of the condition Ready. */
async function readyOf({ client }: Cluster): Promise<unknown> {
  const [ready] = (await client.get(DnsRecord, "www"))?.status?.conditions ?? [];
  return [ready?.status, ready?.reason, ready?.message];
}

test("the entry of the provider follows the DnsRecord", async () => {
  const provider = new MemoryProvider();
  await using cluster = await running(provider);
  expect([provider.entries.get(hostname), await readyOf(cluster)]).toEqual([
    wanted,
    ["True", "Saved", "www.example.dev is 192.0.2.1"],
  ]);
  await cluster.client.patch(DnsRecord, "www", { merge: { spec: { address: "192.0.2.2" } } });
  await cluster.settled();
  expect(provider.entries.get(hostname)?.address).toBe("192.0.2.2");
});

test("a change at the provider is reverted within a minute", async () => {
  const provider = new MemoryProvider();
  await using cluster = await running(provider);
  provider.entries.set(hostname, { address: "203.0.113.9", ttlSeconds: 30 });
  await cluster.advance(60_000);
  expect(provider.entries.get(hostname)).toEqual(wanted);
});

test("a failing provider is called again with backoff, and the condition has its error", async () => {
  const provider = new MemoryProvider();
  const failedAt: number[] = [];
  await using cluster = await running(provider);
  provider.fail = () => {
    failedAt.push(cluster.clock.monotonic());
    throw new Error("502 Bad Gateway");
  };
  await cluster.client.patch(DnsRecord, "www", { merge: { spec: { ttlSeconds: 60 } } });
  await cluster.advance(100);
  expect([failedAt, await readyOf(cluster)]).toEqual([
    [0, 5, 15, 35, 75],
    ["False", "ProviderFailed", "502 Bad Gateway"],
  ]);
  provider.fail = () => {};
  await cluster.advance(100);
  expect(provider.entries.get(hostname)?.ttlSeconds).toBe(60);
  expect(await readyOf(cluster)).toEqual(["True", "Saved", "www.example.dev is 192.0.2.1"]);
});

test("a deleted DnsRecord stays until a throttling provider has removed its entry", async () => {
  const provider = new MemoryProvider();
  await using cluster = await running(provider);
  provider.fail = () => {
    if (cluster.clock.monotonic() < 30_000) throw new RetryAfterError("429", { afterMs: 30_000 });
  };
  await cluster.client.delete(DnsRecord, "www");
  await cluster.advance(29_999);
  expect([provider.entries.size, (await cluster.client.list(DnsRecord)).length]).toEqual([1, 1]);
  await cluster.advance(1);
  expect([provider.entries.size, (await cluster.client.list(DnsRecord)).length]).toEqual([0, 0]);
});
