import { wallClock } from "../../stub/wall-clock.ts";
import { givenArguments, liveBytes, peakRssMb, printFigure, startMeter } from "../probe.ts";

/** An informer of one resource, as far as the bench uses it. */
export interface InformerPeer {
  /** Fills the cache and resolves when the handler has seen all of it. After that `updated` is called for each update. */
  start(updated: Updated): Promise<void>;
  /** How many objects are in the cache. */
  count(): number;
  /** Resolves when what updates have put into a queue is worked off. */
  drained?(): Promise<void>;
}

/** @param sentUs when the server sent it, as the object's annotation says. Asked for only where that is measured. */
export type Updated = (sentUs: () => string | undefined) => void;

export interface Wanted {
  readonly kubeconfig: string;
  readonly resource: "pods" | "websites";
  /** Whether whoever works on a key reads its object from the cache. */
  readonly reads: boolean;
}

/** Does the case named on the command line with the informer, prints its figures, and ends the process. */
export async function runInformerCase(make: (wanted: Wanted) => Promise<InformerPeer>): Promise<never> {
  const { kubeconfig = "", resource, operation = "", objects } = givenArguments();
  const peer = await make({
    kubeconfig,
    resource: resource === "websites" ? "websites" : "pods",
    reads: operation === "read",
  });
  const updates = new Updates(operation === "paced");
  await runSync(peer, { updates, objects: Number(objects), told: operation === "sync" });
  if (operation !== "sync") await runUpdates(peer, updates, operation);
  process.exit(0);
}

async function runSync(
  peer: InformerPeer,
  { updates, objects, told }: { readonly updates: Updates; readonly objects: number; readonly told: boolean },
): Promise<void> {
  const before = liveBytes();
  const meter = startMeter();
  await peer.start(updates.updated);
  const { seconds, cpuUs } = meter();
  const peakMb = peakRssMb();
  if (peer.count() !== objects) throw new Error(`expected ${objects} objects, got ${peer.count()}`);
  const perObject = (liveBytes() - before) / objects;
  if (!told) return;
  printFigure("sync", seconds);
  printFigure("sync cpu", cpuUs / 1e6);
  printFigure("peak RSS", (peakMb * 1024 * 1024) / 1e6);
  printFigure("per object", perObject);
}

async function runUpdates(peer: InformerPeer, updates: Updates, operation: string): Promise<void> {
  const { plain, resource, size, warmup, "per-second": perSecond = "0" } = givenArguments();
  const seen = updates.expect({ size: Number(size), warmup: Number(warmup) });
  const events = Number(size) + Number(warmup);
  const stream = `resource=${resource}&events=${events}&rate=${perSecond}&when=watched`;
  await (await fetch(`${plain}/ctl/stream?${stream}`)).text();
  const meter = await seen;
  await peer.drained?.();
  const { seconds, cpuUs } = meter();
  printFigure("rate", Number(size) / seconds);
  printFigure(`${operation} cpu`, cpuUs / Number(size));
  if (operation === "paced") updates.printLateness();
}

/** Counts updates and, where that is measured, how late they came. */
class Updates {
  readonly #measured: boolean;
  readonly #clock = wallClock();
  #late = new Float64Array(0);
  #count = 0;
  #warmup = Number.POSITIVE_INFINITY;
  #total = Number.POSITIVE_INFINITY;
  #meter = startMeter();
  #over: (meter: ReturnType<typeof startMeter>) => void = () => {};

  constructor(measured: boolean) {
    this.#measured = measured;
  }

  /** Resolves after so many with a meter that has run since the end of the warm-up. */
  expect({
    size,
    warmup,
  }: {
    readonly size: number;
    readonly warmup: number;
  }): Promise<ReturnType<typeof startMeter>> {
    this.#late = new Float64Array(size + warmup);
    this.#warmup = warmup;
    this.#total = size + warmup;
    return new Promise((resolve) => {
      this.#over = resolve;
    });
  }

  readonly updated: Updated = (sentUs) => {
    if (this.#measured) this.#late[this.#count] = this.#clock() - Number(sentUs());
    this.#count += 1;
    if (this.#count === this.#warmup) this.#meter = startMeter();
    if (this.#count === this.#total) this.#over(this.#meter);
  };

  printLateness(): void {
    const late = this.#late.subarray(this.#warmup).toSorted();
    printFigure("p50", late[Math.floor(late.length * 0.5)] ?? Number.NaN);
    printFigure("p99", late[Math.floor(late.length * 0.99)] ?? Number.NaN);
  }
}
