import {
  type Bench,
  bareSocket,
  bringProtobuf,
  type Figure,
  goPeer,
  nodePeer,
  type Peer,
  rustPeer,
  type StubCase,
  stubBench,
} from "../harness/index.ts";

const program = (name: string) => new URL(`../peers/informer/${name}.ts`, import.meta.url);
const clientNode = (major: number, more: { readonly minNode?: readonly [number, number] }): Peer =>
  nodePeer({
    name: `client-node ${major}`,
    program: program("client-node"),
    peerPackage: `client-node-${major}`,
    ...more,
  });

const informers: readonly Peer[] = [
  nodePeer({
    name: "trimtab",
    ours: true,
    program: program("trimtab"),
    needs: "trimtab/dist/cache/index.js",
  }),
  clientNode(1, {}),
  clientNode(2, { minNode: [22, 19] }),
  goPeer({ name: "client-go JSON", package: "informer" }),
  goPeer({ name: "client-go protobuf", package: "informer", args: ["--media-type=protobuf"] }),
  rustPeer({ name: "kube-rs", program: "informer" }),
];
const floor = bareSocket({ cpuFigure: "paced cpu" });
const everybody = informers.map(({ name }) => name);
/** Custom objects are JSON for all peers. */
const jsonPeers = everybody.filter((name) => name !== "client-go protobuf");
const clientNodes = ["client-node 1", "client-node 2"];

export const bench: Bench = stubBench({
  name: "informer",
  summary: "the cache over TLS: first sync, memory, updates, and how late they come, beside four others",
  stub: { pods: 0, websites: 0 },
  fill: bringProtobuf({ pods: 100_000, quickPods: 10_000 }),
  peers: [...informers, floor],
  cases: [
    syncs("sync of 10,000 pods", { pods: 10_000 }),
    { ...syncs("sync of 100,000 pods", { pods: 100_000 }), quick: false },
    { ...syncs("sync of 300,000 pods", { pods: 300_000 }), quick: false, peers: ["trimtab"] },
    { ...syncs("sync of 100,000 websites", { websites: 100_000 }), quick: false, peers: jsonPeers },
    updates("updates of pods, to a queue", { operation: "enqueue", objects: { pods: 10_000 } }),
    updates("updates of pods, each read", { operation: "read", objects: { pods: 10_000 } }),
    {
      ...updates("updates of websites, to a queue", { operation: "enqueue", objects: { websites: 10_000 } }),
      peers: jsonPeers,
      quick: false,
    },
    {
      ...updates("2,000 updates of pods a second", { operation: "paced", objects: { pods: 10_000 } }),
      size: 20_000,
      peers: [...everybody, floor.name],
      figures: [
        { name: "p50", unit: "us", better: "lower" },
        { name: "p99", unit: "us", better: "lower" },
        { name: "paced cpu", unit: "us/event", better: "lower" },
      ],
    },
  ],
  targets: [
    { peers: ["client-go protobuf"], figure: "sync", atMost: 0.5 },
    { peers: ["client-go protobuf"], figure: "peak RSS", atMost: 0.4 },
    { peers: ["client-go protobuf"], figure: "enqueue cpu", atMost: 0.33 },
    { peers: ["client-go protobuf"], figure: "read cpu", atMost: 0.8 },
    { peers: ["client-go protobuf"], figure: "p99", atMost: 0.5 },
    { peers: clientNodes, figure: "sync", atMost: 0.25 },
    { peers: clientNodes, figure: "peak RSS", atMost: 0.2 },
    { peers: clientNodes, figure: "enqueue cpu", atMost: 0.2 },
    { peers: clientNodes, figure: "read cpu", atMost: 0.5 },
    { peers: clientNodes, figure: "p99", atMost: 0.1 },
  ],
});

type Objects = { readonly pods: number } | { readonly websites: number };

function syncs(name: string, objects: Objects): StubCase {
  return {
    name,
    size: 1,
    objects,
    peers: everybody,
    served: "objects",
    args: { operation: "sync", ...named(objects) },
    figures: [
      { name: "sync", unit: "s", better: "lower" },
      { name: "sync cpu", unit: "s", better: "lower" },
      { name: "peak RSS", unit: "MB", better: "lower" },
      { name: "per object", unit: "B", better: "lower" },
      stubCpu("object"),
    ],
  };
}

function updates(
  name: string,
  { operation, objects }: { readonly operation: string; readonly objects: Objects },
): StubCase {
  return {
    name,
    size: 100_000,
    objects,
    peers: everybody,
    served: "objects and events",
    args: { operation, ...named(objects), "per-second": operation === "paced" ? 2000 : 0 },
    figures: [
      { name: "rate", unit: "event/s", better: "higher" },
      { name: `${operation} cpu`, unit: "us/event", better: "lower" },
      stubCpu("event"),
    ],
  };
}

function stubCpu(counted: string): Figure {
  return { name: "stub cpu", unit: `us/${counted}`, better: "lower" };
}

/** The arguments of the peers: the resource and the number of objects. */
function named(objects: Objects): { readonly resource: string; readonly objects: number } {
  return "pods" in objects
    ? { resource: "pods", objects: objects.pods }
    : { resource: "websites", objects: objects.websites };
}
