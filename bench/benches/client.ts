import { type Bench, type Figure, nodePeer, type Peer, type StubCase, stubBench } from "../harness/index.ts";

const program = (name: string) => new URL(`../peers/client/${name}.ts`, import.meta.url);
const clientNode = (major: number, more: { readonly minNode?: readonly [number, number] }): Peer =>
  nodePeer({
    name: `client-node ${major}`,
    program: program("client-node"),
    peerPackage: `client-node-${major}`,
    ...more,
  });

const pods = 10_000;

export const bench: Bench = stubBench({
  name: "client",
  summary:
    "the client over TLS: gets, lists, status patches and a watch, beside client-node and plain undici",
  stub: { pods, websites: 0 },
  peers: [
    nodePeer({
      name: "trimtab",
      ours: true,
      program: program("trimtab"),
      needs: "trimtab/dist/client/index.js",
    }),
    nodePeer({ name: "undici", program: program("undici"), needs: "undici" }),
    nodePeer({ name: "undici h2", program: program("undici"), needs: "undici", args: ["--h2=true"] }),
    clientNode(1, {}),
    clientNode(2, { minNode: [22, 19] }),
  ],
  cases: [
    requests("get, 1 in flight", { size: 10_000, operation: "get", inFlight: 1 }),
    requests("get, 16 in flight", { size: 20_000, operation: "get", inFlight: 16 }),
    requests("patch status, 16 in flight", { size: 20_000, operation: "patch", inFlight: 16 }),
    lists("list in pages of 500", 500),
    lists("list at once", 0),
    events("watch, keys read", "watch-keys"),
    events("watch, objects read", "watch"),
  ],
  targets: [
    { peers: ["client-node 1", "client-node 2"], figure: "rate", atLeast: 3 },
    { peers: ["undici"], figure: "rate", atLeast: 1 / 1.3 },
    { peers: ["undici"], figure: "cpu", atMost: 1.3 },
    { peers: ["undici"], figure: "connections", atMost: 2 },
  ],
});

function requests(
  name: string,
  {
    size,
    operation,
    inFlight,
  }: { readonly size: number; readonly operation: string; readonly inFlight: number },
): StubCase {
  return {
    name,
    size,
    args: { operation, pods, "in-flight": inFlight },
    figures: figures("req/s", "us/req"),
  };
}

function lists(name: string, limit: number): StubCase {
  return {
    name,
    size: 5,
    args: { operation: "list", pods, limit },
    figures: figures("MB/s", "us/pod", "us/req"),
  };
}

function events(name: string, operation: string): StubCase {
  return {
    name,
    size: 60_000,
    stream: { resource: "pods" },
    args: { operation, pods },
    figures: figures("events/s", "us/event"),
  };
}

function figures(rateUnit: string, cpuUnit: string, stubUnit: string = cpuUnit): Figure[] {
  return [
    { name: "rate", unit: rateUnit, better: "higher" },
    { name: "cpu", unit: cpuUnit, better: "lower" },
    { name: "peak RSS", unit: "MB", better: "lower" },
    { name: "connections", unit: "", better: "lower" },
    { name: "stub cpu", unit: stubUnit, better: "lower" },
  ];
}
