import { type Bench, type Case, type Figure, goPeer, nodePeer, type Peer } from "../harness/index.ts";
import { type Load, loadGenerator, openWorld } from "../peers/webhook/world.ts";

const theirs = "controller-runtime";
const costs = [lower("cpu", "us"), lower("p50", "ms"), lower("p99", "ms"), lower("peak RSS", "MB")];
const validating = { path: "/validate--v1-pod", wants: '"allowed":true' };
const mutating = { path: "/mutate--v1-pod", wants: '"patch":"' };

interface WebhookCase extends Case, Load {}

const cases: readonly WebhookCase[] = [
  saturated("validating, 16 in flight", validating),
  saturated("mutating with a patch, 16 in flight", mutating),
  paced("validating, 500 a second", validating),
  paced("mutating with a patch, 500 a second", mutating),
];

export const bench: Bench = {
  name: "webhook",
  summary: "the webhook server on one core: admissions, their time, memory, beside controller-runtime's",
  peers: [
    withLoadGenerator(
      nodePeer({
        name: "trimtab",
        ours: true,
        program: new URL("../peers/webhook/trimtab.ts", import.meta.url),
        needs: "trimtab/dist/webhook/index.js",
      }),
    ),
    withLoadGenerator(goPeer({ name: theirs, package: "webhook" })),
  ],
  cases,
  targets: [
    { peers: [theirs], figure: "rate", atLeast: 1.5 },
    { peers: [theirs], figure: "p99", atMost: 1 },
  ],
  open: ({ quick }) => openWorld({ quick, loads: new Map(cases.map((each) => [each.name, each])) }),
};

/** The same peer, which is skipped if the load generator cannot run here. */
function withLoadGenerator(peer: Peer): Peer {
  return {
    ...peer,
    async prepare() {
      const load = await loadGenerator.prepare();
      return "skipped" in load ? { skipped: `the load generator: ${load.skipped}` } : peer.prepare();
    },
  };
}

function saturated(name: string, load: Load): WebhookCase {
  const rate: Figure = { name: "rate", unit: "/s", better: "higher" };
  return { name, ...load, inFlight: 16, figures: [rate, ...costs, lower("generator", "% busy")] };
}

function paced(name: string, load: Load): WebhookCase {
  return { name, ...load, perSecond: 500, figures: costs };
}

function lower(name: string, unit: string): Figure {
  return { name, unit, better: "lower" };
}
