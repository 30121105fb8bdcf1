import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "trimtab/testing";
import { givenArguments, printFigure } from "../probe.ts";
import { rssMb, startedBy } from "./processes.ts";

/**
 * Measures how long a cluster takes to respond, and its idle memory.
 * `--engine=embedded` or `binaries`; `--listen=true` for one that other programs can reach; `--next` is the number of
 * further starts, `--many` the number of concurrent clusters to measure the size of each, and `--rest-ms` the idle time
 * before the first one's memory is measured. Run with `--expose-gc`.
 */
const args = givenArguments();
const real = args.engine === "binaries";
const begun = performance.now();
// Loaded here, so that the first start includes the time to load it.
const { startCluster } = await import("trimtab/testing");

/** Measures the time from the call to the first response. A listening cluster is requested over the network. */
async function start(): Promise<Cluster> {
  const cluster = await startCluster(
    real ? { engine: "binaries" } : { engine: "embedded", listen: args.listen === "true" },
  );
  const client = args.listen === "true" ? await overNetwork(cluster.kubeconfig) : cluster.client;
  await client.transport.send({ method: "GET", path: "/api/v1/namespaces/default" });
  if (client !== cluster.client) await client[Symbol.asyncDispose]();
  return cluster;
}

async function overNetwork(kubeconfig: string): Promise<Cluster["client"]> {
  const { connect } = await import("trimtab/client");
  return connect({ kubeconfig });
}

async function main(): Promise<never> {
  const first = await start();
  printFigure("first", performance.now() - begun);
  await sleep(Number(args["rest-ms"]));
  printFigure("rss", rssMb(real ? startedBy(process.pid, ["kube-apiserver", "etcd"]) : [process.pid]));
  await startMore(Number(args.next));
  if (Number(args.many) > 0) await keepMany(Number(args.many));
  await first.close();
  process.exit(0);
}

async function startMore(times: number): Promise<void> {
  const tookMs: number[] = [];
  for (let time = 0; time < times; time++) {
    const before = performance.now();
    const cluster = await start();
    tookMs.push(performance.now() - before);
    await cluster.close();
  }
  const middle = tookMs.sort((a, b) => a - b)[times >> 1];
  if (middle !== undefined) printFigure("next", middle);
}

async function keepMany(count: number): Promise<void> {
  const before = heapBytes();
  const clusters = await Promise.all(Array.from({ length: count }, start));
  printFigure("heap", (heapBytes() - before) / count / 1024);
  await Promise.all(clusters.map((cluster) => cluster.close()));
}

function heapBytes(): number {
  gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

await main();
