import { liveBytes } from "../../harness/live-bytes.ts";
import { Lateness } from "../lateness.ts";
import { askForStream, givenArguments, peakRssMb, printFigure, startMeter } from "../probe.ts";

/** The part of an informer that the bench uses. */
export interface InformerPeer {
  /** Fills the cache, and resolves when the handler has received every object. Then calls `updated` for each update. */
  start(updated: Updated): Promise<void>;
  /** Number of objects in the cache. */
  count(): number;
  /** Resolves when the queue of the updates is empty. */
  drained?(): Promise<void>;
}

/** @param sentUs When the server sent it, from the object's annotation. Only read if latency is measured. */
export type Updated = (sentUs: () => string | undefined) => void;

export interface Wanted {
  readonly kubeconfig: string;
  readonly resource: "pods" | "websites";
  /** True if the worker reads the object of a key from the cache. */
  readonly reads: boolean;
}

/** Runs the case of the command line with the informer, prints its figures, and exits. */
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
  const before = await liveBytes();
  const meter = startMeter();
  await peer.start(updates.updated);
  const { seconds, cpuUs } = meter();
  const peakMb = peakRssMb();
  if (peer.count() !== objects) throw new Error(`expected ${objects} objects, got ${peer.count()}`);
  const perObject = ((await liveBytes()) - before) / objects;
  if (!told) return;
  printFigure("sync", seconds);
  printFigure("sync cpu", cpuUs / 1e6);
  printFigure("peak RSS", (peakMb * 1024 * 1024) / 1e6);
  printFigure("per object", perObject);
}

async function runUpdates(peer: InformerPeer, updates: Updates, operation: string): Promise<void> {
  const { size, warmup } = givenArguments();
  const seen = updates.expect({ size: Number(size), warmup: Number(warmup) });
  await askForStream(Number(size) + Number(warmup));
  const meter = await seen;
  await peer.drained?.();
  const { seconds, cpuUs } = meter();
  printFigure("rate", Number(size) / seconds);
  printFigure(`${operation} cpu`, cpuUs / Number(size));
  if (operation === "paced") updates.lateness.print();
}

/** Counts updates, and records their latency if that is measured. */
class Updates {
  readonly lateness = new Lateness();
  readonly #timed: boolean;
  #count = 0;
  #warmup = Number.POSITIVE_INFINITY;
  #total = Number.POSITIVE_INFINITY;
  #meter = startMeter();
  #over: (meter: ReturnType<typeof startMeter>) => void = () => {};

  constructor(timed: boolean) {
    this.#timed = timed;
  }

  /** Resolves after this many, with a meter that has run since the end of the warm-up. */
  expect({
    size,
    warmup,
  }: {
    readonly size: number;
    readonly warmup: number;
  }): Promise<ReturnType<typeof startMeter>> {
    this.#warmup = warmup;
    this.#total = size + warmup;
    return new Promise((resolve) => {
      this.#over = resolve;
    });
  }

  readonly updated: Updated = (sentUs) => {
    if (this.#timed) this.lateness.note(sentUs);
    this.#count += 1;
    if (this.#count === this.#warmup) this.#beginToMeasure();
    if (this.#count === this.#total) this.#over(this.#meter);
  };

  #beginToMeasure(): void {
    this.lateness.forget();
    this.#meter = startMeter();
  }
}
