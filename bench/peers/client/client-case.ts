import { givenArguments, peakRssMb, printFigure, repeat, startMeter } from "../probe.ts";

/** The part of a client that the bench uses. It returns parsed objects. */
export interface ClientPeer {
  get(key: PodKey): Promise<PodLike>;
  /** Lists all pods in pages of `limit`; 0 requests all at once. */
  list(limit: number): Promise<readonly PodLike[]>;
  patchStatus(key: PodKey, patch: object): Promise<PodLike>;
  /** Passes the object of each event until `seen` returns true. */
  watch(resourceVersion: string, seen: (pod: PodLike) => boolean): Promise<void>;
  /** Passes the key of each event, as a handler that fills a queue reads it. */
  watchKeys(resourceVersion: string, seen: (key: PodKey) => boolean): Promise<void>;
}

export interface PodKey {
  readonly namespace: string;
  readonly name: string;
}

export interface PodLike {
  readonly metadata?:
    | { readonly name?: string | undefined; readonly namespace?: string | undefined }
    | undefined;
}

/** For clients that have the key only in the parsed object. */
export function podKey({ metadata }: PodLike): PodKey {
  return { namespace: metadata?.namespace ?? "", name: metadata?.name ?? "" };
}

export interface Access {
  /** URL of the stub with TLS. */
  readonly secure: string;
  /** File with the CA certificate. */
  readonly ca: string;
  readonly kubeconfig: string;
}

/** Runs the case of the command line with the client, prints its figures, and exits. */
export async function runClientCase(connect: (access: Access) => Promise<ClientPeer>): Promise<never> {
  const args = givenArguments();
  const { secure = "", ca = "", kubeconfig = "", operation = "" } = args;
  const client = await connect({ secure, ca, kubeconfig });
  const numbers = {
    size: Number(args.size),
    warmup: Number(args.warmup),
    inFlight: Number(args["in-flight"]),
    limit: Number(args.limit),
    bytes: Number(args.bytes),
    pods: Number(args.pods),
  };
  const runs = {
    get: runGets,
    patch: runPatches,
    list: runLists,
    watch: runWatch,
    "watch-keys": runWatchKeys,
  };
  const run = runs[operation as keyof typeof runs]; // checked next
  if (run === undefined)
    throw new RangeError(`expected --operation ${Object.keys(runs).join(", ")}, got ${operation}`);
  await run(client, numbers);
  printFigure("peak RSS", peakRssMb());
  process.exit(0);
}

interface Numbers {
  readonly size: number;
  readonly warmup: number;
  readonly inFlight: number;
  readonly limit: number;
  /** Size of all pods together. */
  readonly bytes: number;
  readonly pods: number;
}

async function runGets(client: ClientPeer, numbers: Numbers): Promise<void> {
  await runRequests(numbers, async (key) => expectPod(await client.get(key), key));
}

async function runPatches(client: ClientPeer, numbers: Numbers): Promise<void> {
  await runRequests(numbers, async (key) => expectPod(await client.patchStatus(key, statusPatch), key));
}

const statusPatch = {
  status: {
    conditions: [
      {
        type: "Ready",
        status: "True",
        reason: "Reconciled",
        message: "everything is as it should be",
        lastTransitionTime: "2026-03-02T08:15:41Z",
      },
    ],
  },
};

async function runRequests(numbers: Numbers, request: (key: PodKey) => Promise<void>): Promise<void> {
  const { size, warmup, inFlight, pods } = numbers;
  const act = (index: number) => request(keyOf(index % pods));
  await repeat({ times: warmup, inFlight, maxSeconds: 1 }, act);
  const meter = startMeter();
  const done = await repeat({ times: size, inFlight, maxSeconds: 5 }, act);
  const { seconds, cpuUs } = meter();
  printFigure("rate", done / seconds);
  printFigure("cpu", cpuUs / done);
}

async function runLists(client: ClientPeer, { size, warmup, limit, bytes, pods }: Numbers): Promise<void> {
  const act = async () => {
    const { length } = await client.list(limit);
    if (length !== pods) throw new Error(`expected a list of ${pods} pods, got ${length}`);
  };
  await repeat({ times: warmup }, act);
  const meter = startMeter();
  await repeat({ times: size }, act);
  const { seconds, cpuUs } = meter();
  printFigure("rate", (size * bytes) / 1e6 / seconds);
  printFigure("cpu", cpuUs / size / pods);
}

async function runWatch(client: ClientPeer, numbers: Numbers): Promise<void> {
  await runEvents(numbers, (seen) => client.watch("1", ({ metadata }) => seen(metadata?.name)));
}

async function runWatchKeys(client: ClientPeer, numbers: Numbers): Promise<void> {
  await runEvents(numbers, (seen) => client.watchKeys("1", ({ namespace, name }) => seen(namespace && name)));
}

type Seen = (name: string | undefined) => boolean;

async function runEvents({ size, warmup }: Numbers, watch: (seen: Seen) => Promise<void>): Promise<void> {
  let count = 0;
  let meter = startMeter();
  await watch((name) => {
    if (!name) throw new Error(`expected a pod with a name, got ${name}`);
    count += 1;
    if (count === warmup) meter = startMeter();
    return count === warmup + size;
  });
  const { seconds, cpuUs } = meter();
  printFigure("rate", size / seconds);
  printFigure("cpu", cpuUs / size);
}

/** The stub's pods. */
function keyOf(index: number): PodKey {
  return { namespace: `ns-${index % 50}`, name: `pod-${index}` };
}

/** Checks the objects, since a client that returns less would win by skipping work. */
function expectPod(pod: PodLike, { name }: PodKey): void {
  if (pod.metadata?.name !== name)
    throw new Error(`expected pod ${name}, got ${JSON.stringify(pod).slice(0, 200)}`);
}
