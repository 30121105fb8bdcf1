import {
  type Bench,
  bareSocket,
  bringProtobuf,
  type Figure,
  goPeer,
  nodePeer,
  type StubCase,
  stubBench,
  type Target,
} from "../harness/index.ts";

const objects = 10_000;
/** Websites that own two hundred pods each, for this number of pods. */
const owners = 50;
const ours = "trimtab";
const theirs = "controller-runtime";
const floor = bareSocket({ cpuFigure: "cpu" });

export const bench: Bench = stubBench({
  name: "controller",
  summary: "controllers over TLS: reconciles, how late they come, memory, writes, children, beside Go's",
  stub: { pods: 0, websites: 0 },
  fill: bringProtobuf({ pods: objects }),
  peers: [
    nodePeer({
      name: ours,
      ours: true,
      program: new URL("../peers/controller/trimtab.ts", import.meta.url),
      needs: "trimtab/dist/manager/index.js",
    }),
    goPeer({ name: theirs, package: "controller" }),
    floor,
  ],
  cases: [
    {
      ...reconciles("start with 10,000 pods, read", { operation: "start", kind: "pods" }),
      size: 1,
      served: "objects",
      figures: [lower("start", "s"), lower("start cpu", "s"), lower("peak RSS", "MB"), lower("in use", "MB")],
    },
    reconciles("pods, by key", { operation: "key", kind: "pods" }),
    reconciles("pods, read", { operation: "read", kind: "pods" }),
    reconciles("websites, by key", { operation: "key", kind: "websites" }),
    reconciles("websites, read", { operation: "read", kind: "websites" }),
    { ...reconciles("pods, patched", { operation: "patch", kind: "pods", concurrency: 16 }), size: 50_000 },
    {
      ...reconciles("websites, patched", { operation: "patch", kind: "websites", concurrency: 16 }),
      size: 50_000,
    },
    withChildren("websites, 200 pods of each read"),
    {
      ...reconciles("2,000 events of pods a second, read", { operation: "paced", kind: "pods" }),
      size: 20_000,
      peers: [ours, theirs, floor.name],
      figures: [lower("p50", "us"), lower("p99", "us"), lower("cpu", "us"), lower("peak RSS", "MB")],
    },
  ],
  targets: [
    target({ figure: "read rate", atLeast: 1.2 }),
    target({ figure: "key rate", atLeast: 3 }),
    target({ figure: "children rate", atLeast: 1 }),
    target({ figure: "p99", atMost: 0.5 }),
    target({ figure: "peak RSS", atMost: 0.5 }),
  ],
});

interface CaseOptions {
  /** The operation of a reconcile, as the peers name it. */
  readonly operation: string;
  readonly kind: "pods" | "websites";
  /** Number of concurrent reconciles. @default 1 */
  readonly concurrency?: number | undefined;
}

/** A case with one reconcile for each event of the kind. */
function reconciles(name: string, { operation, kind, concurrency = 1 }: CaseOptions): StubCase {
  const paced = operation === "paced";
  return {
    name,
    size: 100_000,
    peers: [ours, theirs],
    objects: { [kind]: objects },
    served: "objects and events",
    args: {
      operation,
      kind,
      concurrency,
      objects,
      resource: kind,
      batch: paced ? Number.MAX_SAFE_INTEGER : objects,
      "per-second": paced ? 2000 : 0,
    },
    figures: [
      { name: `${operation} rate`, unit: "/s", better: "higher" },
      lower("cpu", "us"),
      lower("stub cpu", "us"),
    ],
  };
}

/** A case with one reconcile of a website for each event of one of its pods. */
function withChildren(name: string): StubCase {
  const base = reconciles(name, { operation: "children", kind: "websites" });
  return {
    ...base,
    size: 5000,
    objects: { pods: objects, websites: owners },
    args: { ...base.args, resource: "pods", objects: owners, batch: owners },
  };
}

function lower(name: string, unit: string): Figure {
  return { name, unit, better: "lower" };
}

function target(bound: Omit<Target, "peers">): Target {
  return { peers: [theirs], ...bound };
}
