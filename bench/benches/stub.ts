import { type Bench, type Figure, nodePeer, type Peer, stubBench } from "../harness/index.ts";

const pods = 10_000;
const from = "watch=true&resourceVersion=1";

/** The upper bounds for the peers of other benches. A peer near these figures measures the stub. */
export const bench: Bench = stubBench({
  name: "stub",
  summary:
    "what the stub API server itself can give, to a client that only reads: the ceiling of every other bench",
  stub: { pods, websites: pods },
  peers: [transport("plain"), transport("tls"), transport("h2")],
  cases: [
    {
      name: "watch pods",
      size: 200_000,
      stream: { resource: "pods", end: true },
      args: { operation: "watch", path: `/api/v1/pods?${from}` },
      figures: figures("event"),
    },
    {
      name: "watch websites",
      size: 500_000,
      stream: { resource: "websites", end: true },
      args: { operation: "watch", path: `/apis/bench.trimtab.dev/v1/websites?${from}` },
      figures: figures("event"),
    },
    {
      name: "list pods in pages of 500",
      size: 200,
      args: { operation: "list", path: "/api/v1/pods?limit=500", "per-reply": 500 },
      figures: figures("pod", "us/req"),
    },
    {
      name: "get, 16 in flight",
      size: 30_000,
      args: { operation: "get", path: "/api/v1/namespaces/ns-1/pods/pod-1", "in-flight": 16 },
      figures: figures("req"),
    },
  ],
});

function transport(name: string): Peer {
  return nodePeer({
    name,
    program: new URL("../peers/raw.ts", import.meta.url),
    args: [`--transport=${name}`],
  });
}

function figures(counted: string, stubUnit = `us/${counted}`): Figure[] {
  return [
    { name: "rate", unit: `${counted}/s`, better: "higher" },
    { name: "bytes", unit: "MB/s", better: "higher" },
    { name: "client cpu", unit: `us/${counted}`, better: "lower" },
    { name: "stub cpu", unit: stubUnit, better: "lower" },
  ];
}
