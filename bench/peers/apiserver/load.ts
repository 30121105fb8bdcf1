import { givenArguments, printFigure, repeat, startMeter } from "../probe.ts";
import { insideRoad } from "./inside-road.ts";
import { networkRoad } from "./network-road.ts";
import { deploymentBody, deploymentName, podBody, podName } from "./objects.ts";
import { cpuUs } from "./processes.ts";
import type { Road } from "./road.ts";

/**
 * The load generator: runs one operation for `--seconds` after a warm-up, and prints the figures.
 * `--kubeconfig` locates the server, and `--pids` names its processes; without them it starts a cluster in this
 * process. `--run` separates the objects of one run from those of others.
 */
const args = givenArguments();
const inside = args.kubeconfig === undefined;
const inFlight = Number(args["in-flight"] ?? 1);
const seconds = Number(args.seconds);
const pods = Number(args.pods);
const pids = inside ? [process.pid] : (args.pids ?? "").split(",").map(Number);
const seeded = "seeded";

async function main(): Promise<never> {
  const road = inside ? await insideRoad() : networkRoad(args.kubeconfig ?? "", inFlight);
  const operation = operations[args.operation ?? ""];
  if (!operation) throw new RangeError(`expected an operation, got ${args.operation}`);
  await operation(road);
  await road.close();
  process.exit(0);
}

const operations: Readonly<Record<string, (road: Road) => Promise<void>>> = {
  seed,
  create: async (road) => {
    const [namespace, counter] = [await newNamespace(road), new Counter()];
    await measure(() => create(road, namespace, counter.next()));
  },
  update: async (road) => {
    const [namespace, counter] = [await newNamespace(road), new Counter()];
    await fill(road, namespace, updated);
    await measure(() => update(road, namespace, counter.next()));
  },
  apply: async (road) => {
    const [namespace, counter] = [await newNamespace(road), new Counter()];
    await measure(() => applyDeployment(road, namespace, counter.next()));
  },
  list: async (road) => {
    if (inside) await seed(road);
    await measure(() => listAll(road), { counting: pods });
  },
  pages: async (road) => {
    if (inside) await seed(road);
    const page = pager(road);
    await measure(page, { counting: pageSize });
  },
  "fan-out": fanOut,
};

const pageSize = 500;
/** Number of objects that are updated and applied alternately. */
const updated = 200;
const watchers = 100;

class Counter {
  #next = 0;
  next = (): number => this.#next++;
}

async function newNamespace(road: Road, name = `run-${args.run ?? "only"}`): Promise<string> {
  const body = JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  await road.send({ method: "POST", path: "/api/v1/namespaces", body });
  return name;
}

/** The pods of lists. */
async function seed(road: Road): Promise<void> {
  await fill(road, await newNamespace(road, seeded), pods);
  if (args.operation === "seed") printFigure("seeded", pods);
}

async function fill(road: Road, namespace: string, count: number): Promise<void> {
  await repeat({ times: count, inFlight: 16 }, (index) => create(road, namespace, index));
}

async function create(road: Road, namespace: string, index: number): Promise<void> {
  const body = podBody(namespace, index, "0");
  await road.sink({ method: "POST", path: `/api/v1/namespaces/${namespace}/pods`, body });
}

async function update(road: Road, namespace: string, count: number): Promise<void> {
  const index = count % updated;
  const path = `/api/v1/namespaces/${namespace}/pods/${podName(index)}`;
  await road.sink({ method: "PUT", path, body: podBody(namespace, index, `${count + 1}`) });
}

async function applyDeployment(road: Road, namespace: string, count: number): Promise<void> {
  const index = count % updated;
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await road.sink({
    method: "PATCH",
    path: `${deployments}/${deploymentName(index)}?fieldManager=bench&force=true`,
    body: deploymentBody(index, `${count}`),
    type: "application/apply-patch+yaml",
  });
}

const podList = `/api/v1/namespaces/${seeded}/pods`;

async function listAll(road: Road): Promise<void> {
  await road.sink({ method: "GET", path: podList });
}

/** Gets the next page with each call, and the first one again after the last. */
function pager(road: Road): () => Promise<void> {
  let more = "";
  return async () => {
    const page = await road.send({ method: "GET", path: `${podList}?limit=${pageSize}${more}` });
    // The token is among the first fields, so the rest is not read.
    const token = /"continue":"([^"]+)"/.exec(page.toString("latin1", 0, 1000))?.[1];
    more = token === undefined ? "" : `&continue=${encodeURIComponent(token)}`;
  };
}

interface MeasureOptions {
  /** Units of one operation. @default 1 */
  readonly counting?: number | undefined;
}

/** Repeats an operation, `--in-flight` at once, and prints the cost to the server and to this process. */
async function measure(act: () => Promise<void>, { counting = 1 }: MeasureOptions = {}): Promise<void> {
  await forSeconds(act, seconds / 3);
  const tookMs: number[] = [];
  const timed = async (): Promise<void> => {
    const begun = performance.now();
    await act();
    tookMs.push(performance.now() - begun);
  };
  const finish = startMeasuring();
  const times = await forSeconds(timed, seconds);
  finish(times * counting, tookMs);
}

/** Minimum number of samples for a median. */
async function forSeconds(act: () => Promise<void>, maxSeconds: number): Promise<number> {
  const least = await repeat({ times: 3, inFlight }, act);
  return least + (await repeat({ times: Number.POSITIVE_INFINITY, inFlight, maxSeconds }, act));
}

function startMeasuring(): (done: number, tookMs: readonly number[]) => void {
  const serverBefore = cpuUs(pids);
  const meter = startMeter();
  return (done, tookMs) => {
    const own = meter();
    const serverUs = cpuUs(pids) - serverBefore;
    const sorted = [...tookMs].sort((a, b) => a - b);
    printFigure("rate", done / own.seconds);
    if (!Number.isNaN(serverUs)) printFigure("cpu", serverUs / done);
    printFigure("p50", sorted[Math.floor(sorted.length * 0.5)] ?? Number.NaN);
    printFigure("p99", sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN);
    if (!inside) printFigure("generator", own.cpuUs / own.seconds / 10_000);
  };
}

/** Sends `--in-flight` writes at once, and the next ones when every watcher has received all of them. */
async function fanOut(road: Road): Promise<void> {
  const namespace = await newNamespace(road);
  await fill(road, namespace, updated);
  const arrivals = new Arrivals();
  const path = `/api/v1/namespaces/${namespace}/pods?watch=true&resourceVersion=${await versionOf(road, namespace)}`;
  for (let watcher = 0; watcher < watchers; watcher++) await road.watch(path, arrivals.add);
  const counter = new Counter();
  const act = async (): Promise<void> => {
    const all = arrivals.expect(watchers * inFlight);
    const writes = Array.from({ length: inFlight }, () => update(road, namespace, counter.next()));
    await Promise.all([all, ...writes]);
  };
  await repeat({ times: Number.POSITIVE_INFINITY, maxSeconds: seconds / 3 }, act);
  arrivals.tookMs.length = 0;
  const finish = startMeasuring();
  const times = await repeat({ times: Number.POSITIVE_INFINITY, maxSeconds: seconds }, act);
  finish(times * inFlight * watchers, arrivals.tookMs);
}

/** The figures of all watchers together. */
class Arrivals {
  /** Latencies from a write to each of its events. */
  readonly tookMs: number[] = [];
  #missing = 0;
  #begun = 0;
  #complete: () => void = () => {};

  expect(events: number): Promise<void> {
    this.#missing = events;
    this.#begun = performance.now();
    return new Promise((resolve) => {
      this.#complete = resolve;
    });
  }

  readonly add = (events: number): void => {
    const tookMs = performance.now() - this.#begun;
    for (let event = 0; event < events; event++) this.tookMs.push(tookMs);
    this.#missing -= events;
    if (this.#missing === 0) this.#complete();
  };
}

async function versionOf(road: Road, namespace: string): Promise<string> {
  const list = await road.send({ method: "GET", path: `/api/v1/namespaces/${namespace}/pods?limit=1` });
  const { metadata } = JSON.parse(list.toString()) as { metadata: { resourceVersion: string } };
  return metadata.resourceVersion;
}

await main();
