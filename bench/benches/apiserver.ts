import { accessSync } from "node:fs";
import { join } from "node:path";
import { type Bench, type Case, type Figure, installed, nodePeer, type Peer } from "../harness/index.ts";
import { openWorld, type Sending, type Server } from "../peers/apiserver/world.ts";

const load = new URL("../peers/apiserver/load.ts", import.meta.url);
const needs = "trimtab/dist/testing/index.js";
const real = "kube-apiserver + etcd";

interface ApiServerCase extends Case, Sending {}

const cases: readonly ApiServerCase[] = [
  { name: "create pods, 16 in flight", operation: "create", inFlight: 16, figures: figures("req") },
  { name: "update pods, 16 in flight", operation: "update", inFlight: 16, figures: figures("req") },
  { name: "apply deployments, 16 in flight", operation: "apply", inFlight: 16, figures: figures("req") },
  { name: "list 10k pods at once", operation: "list", figures: figures("pod") },
  { name: "list 10k pods in pages of 500", operation: "pages", figures: figures("pod") },
  { name: "100 watchers, 1 write at a time", operation: "fan-out", figures: figures("event") },
  {
    name: "100 watchers, 16 writes at a time",
    operation: "fan-out",
    inFlight: 16,
    figures: figures("event"),
  },
  {
    name: "start and rest",
    figures: [
      { name: "first", unit: "ms", better: "lower" },
      { name: "next", unit: "ms", better: "lower" },
      { name: "rss", unit: "MB", better: "lower" },
      { name: "heap", unit: "KB/cluster", better: "lower" },
    ],
  },
];

const servers: ReadonlyMap<string, Server> = new Map([
  ["embedded", { engine: "embedded" }],
  ["in process", { engine: "inside" }],
  [real, { engine: "binaries" }],
]);

export const bench: Bench = {
  name: "apiserver",
  summary:
    "the embedded API server: writes, lists, watches, start and memory, beside kube-apiserver with etcd",
  peers: [
    nodePeer({ name: "embedded", ours: true, program: load, needs }),
    nodePeer({ name: "in process", program: load, needs }),
    realServer(),
  ],
  cases,
  singleCheckout: true,
  targets: [
    { peers: [real], figure: "rate", atLeast: 1 },
    ...["cpu", "p50", "p99", "first", "rss"].map((figure) => ({ peers: [real], figure, atMost: 1 })),
    { peers: ["embedded", "in process"], figure: "next", absolute: true, atMost: 100 },
  ],
  open: ({ quick }) =>
    openWorld({ quick, servers, sendings: new Map(cases.map((each) => [each.name, each])) }),
};

function realServer(): Peer {
  const peer = nodePeer({ name: real, program: load, needs });
  return {
    ...peer,
    async prepare() {
      const missing = await missingProgram();
      return missing === undefined ? peer.prepare() : { skipped: missing };
    },
  };
}

/** The reason why kube-apiserver cannot run here. */
async function missingProgram(): Promise<string | undefined> {
  if (installed(needs) === undefined) return undefined;
  const { kubeCacheFolder } = await import("trimtab/testing");
  const folder = process.env.KUBEBUILDER_ASSETS || kubeCacheFolder();
  try {
    for (const program of ["kube-apiserver", "etcd"]) accessSync(join(folder, program));
    return undefined;
  } catch {
    // The programs are missing; no more is known.
    return `expected kube-apiserver and etcd in ${folder}, got none: run npm run kube, which needs Go`;
  }
}

function figures(counted: string): Figure[] {
  return [
    { name: "rate", unit: `${counted}/s`, better: "higher" },
    { name: "cpu", unit: `us/${counted}`, better: "lower" },
    { name: "p50", unit: "ms", better: "lower" },
    { name: "p99", unit: "ms", better: "lower" },
    { name: "generator", unit: "% busy", better: "lower" },
  ];
}
