import { type Context, controller, manager, owns, specOrMetadataChanged } from "trimtab";
import { type Kind, type KubeObject, kind, type ObjectKey } from "trimtab/api";
import { Pod } from "trimtab/api/core/v1";
import { connect } from "trimtab/client";
import { liveBytes } from "../../harness/live-bytes.ts";
import { Lateness } from "../lateness.ts";
import { askForStream, givenArguments, peakRssMb, printFigure, startMeter } from "../probe.ts";
import { Reconciles } from "./reconciles.ts";

/** Runs our controllers and manager through the cases of the bench "controller". */
const given = givenArguments();
const { operation = "", batch, objects, size, warmup } = given;
const Website = kind({
  group: "bench.trimtab.dev",
  version: "v1",
  kind: "Website",
  plural: "websites",
  namespaced: true,
});
const children = 200;
const reconciles = new Reconciles();
const lateness = new Lateness();
const primary: Kind = given.kind === "pods" ? (Pod as Kind) : Website;

/** The work of a reconcile. */
const works: Readonly<Record<string, (key: ObjectKey, context: Context) => Promise<unknown>>> = {
  async key() {},
  start: readWhole,
  read: readWhole,
  async patch(key, context) {
    await readWhole(key, context);
    const merge = { status: { message: "reconciled" } };
    await context.client.patch(primary, key, { merge }, { subresource: "status" });
  },
  async paced(key, context) {
    const { metadata } = await readWhole(key, context);
    lateness.note(() => metadata.annotations?.["bench.trimtab.dev/sent-us"]);
  },
  async children(key, context) {
    const site = await readWhole(key, context);
    const pods = context.cache.owned(Pod, site);
    const running = pods.filter(({ status }) => status?.phase === "Running").length;
    if (running !== children) throw new Error(`expected ${children} running pods, got ${running}`);
  },
};

async function readWhole(key: ObjectKey, { client }: Context): Promise<KubeObject> {
  const object = await client.get(primary, key);
  if (!object) throw new Error(`expected ${key.namespace}/${key.name} in the cache, got nothing`);
  return object;
}

const work = works[operation];
if (!work) throw new RangeError(`expected --operation ${Object.keys(works).join(", ")}, got ${operation}`);
const subject = controller({
  name: "bench",
  for: primary,
  // This predicate was the default for kinds without `defineResource` when BASELINE.json was measured.
  when: specOrMetadataChanged,
  on: operation === "children" ? [owns(Pod)] : [],
  concurrency: Number(given.concurrency),
  async reconcile(key, context) {
    await work(key, context);
    reconciles.add();
  },
  onError: fail,
});

await start();
if (operation !== "start") await see();
process.exit(0);

/** Starts, waits until every object was reconciled once, and prints the cost. */
async function start(): Promise<void> {
  const client = await connect({ kubeconfig: given.kubeconfig });
  const reached = reconciles.expect(Number(objects));
  const meter = startMeter();
  manager({ controllers: [subject], client, metrics: false, health: false })
    .run({ signal: new AbortController().signal })
    .catch(fail);
  await reached;
  const { seconds, cpuUs } = meter();
  if (operation !== "start") return;
  printFigure("start", seconds);
  printFigure("start cpu", cpuUs / 1e6);
  printFigure("peak RSS", (peakRssMb() * 1024 * 1024) / 1e6);
  printFigure("in use", (await liveBytes()) / 1e6);
}

/** Consumes the events of a stream, and prints the cost of reconciling after the warm-up, or the latency. */
async function see(): Promise<void> {
  await reconciles.quiet();
  await reconcileAll(Number(warmup));
  lateness.forget();
  const meter = startMeter();
  await reconcileAll(Number(size));
  const { seconds, cpuUs } = meter();
  printFigure(`${operation} rate`, Number(size) / seconds);
  printFigure("cpu", cpuUs / Number(size));
  printFigure("peak RSS", (peakRssMb() * 1024 * 1024) / 1e6);
  if (operation === "paced") lateness.print();
}

/**
 * Sends as many events at once as there are keys. A queued key gets no second event, so each event is one reconcile.
 */
async function reconcileAll(events: number): Promise<void> {
  for (let left = events; left > 0; left -= Number(batch)) {
    const more = Math.min(left, Number(batch));
    const reached = reconciles.expect(more);
    await askForStream(more);
    await reached;
  }
}

function fail(error: unknown): void {
  process.stderr.write(`${error}\n`);
  process.exit(1);
}
