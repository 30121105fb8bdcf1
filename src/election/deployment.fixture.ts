import { Lease } from "../api/types/coordination/v1.ts";
import { seededRng, VirtualClock } from "../base/index.ts";
import { startCluster } from "../testing/index.ts";
import { readPeriodMs } from "./clock-watch.ts";
import { Replica, type World } from "./replica.fixture.ts";

/** A fault of one replica, from a time on and for a duration. */
export interface Mishap {
  readonly atMs: number;
  /** Index of the replica, less than `places`. */
  readonly place: number;
  readonly forMs: number;
  readonly what:
    | "asleep"
    | "stopped"
    | "cut off"
    | "clock set forward"
    | "clock set back"
    | "killed"
    | "terminated"
    /** A user deletes the lease, which may let two replicas lead. */
    | "lease deleted";
}

export const places = 3;

/** The mishaps that random plans draw from. Some are twice as likely as others. */
export const randomMishaps: readonly [Mishap["what"], ...Mishap["what"][]] = [
  "asleep",
  "stopped",
  "stopped",
  "cut off",
  "cut off",
  "clock set forward",
  "clock set back",
  "killed",
  "terminated",
];

const hourMs = 3_600_000;

/** Replicas of one program. A replica that has ended or was killed is replaced by one with a new identity. */
class Deployment {
  readonly replicas: Replica[];
  readonly world: World;
  #started = 0;
  #steps = 0;
  /** Returns true for the steps to check. */
  readonly #isChecked: () => boolean;

  constructor(world: World, isChecked: () => boolean) {
    this.world = world;
    this.#isChecked = isChecked;
    this.replicas = Array.from({ length: places }, (_, place) => this.#start(place));
  }

  at(place: number): Replica {
    const replica = this.replicas[place];
    if (!replica) throw new RangeError(`no replica at ${place}`);
    return replica;
  }

  /** Advances true time, and checks after every step, or after some, that at most one replica leads. */
  async pass(ms: number): Promise<void> {
    const { time } = this.world;
    const untilMs = time.monotonic() + ms;
    while (time.monotonic() + (time.nextMs ?? Number.POSITIVE_INFINITY) <= untilMs) {
      await time.advanceToNext();
      this.check();
      if (++this.#steps > 100_000)
        throw new Error(`expected time to advance, got stuck at ${time.monotonic()} ms`);
    }
    // The last step may have gone further, because its timer can be cancelled before time advances.
    await time.advance(Math.max(0, untilMs - time.monotonic()));
  }

  check(): void {
    if (!this.#isChecked()) return;
    const leaders = this.leaders().map(({ elector }) => elector.identity);
    if (leaders.length > 1) throw new Error(`expected at most one leader, got ${leaders.join(" and ")}`);
  }

  leaders(): Replica[] {
    return this.replicas.filter(({ running, elector }) => running && elector.isLeader());
  }

  kill(place: number): void {
    this.at(place).kill();
    this.replicas[place] = this.#start(place);
  }

  async begins({ place, what }: Mishap): Promise<void> {
    const replica = this.at(place);
    if (what === "stopped") replica.stop();
    if (what === "asleep") replica.sleep();
    if (what === "cut off") replica.cut = true;
    if (what === "clock set forward") replica.setClock(hourMs);
    if (what === "clock set back") replica.setClock(-hourMs);
    if (what === "killed") this.kill(place);
    if (what === "terminated") replica.terminate();
    if (what === "lease deleted") await this.world.client.delete(Lease, "crown");
  }

  async ends({ place, what }: Mishap): Promise<void> {
    const replica = this.at(place);
    if (what === "cut off") replica.cut = false;
    if (what !== "stopped" && what !== "asleep") return;
    const resumed = replica.resume();
    this.check();
    await resumed;
  }

  #start(place: number): Replica {
    const replica = new Replica(`${place}-${++this.#started}`, this.world);
    void replica.ended.then(() => {
      if (this.replicas[place] === replica) this.replicas[place] = this.#start(place);
    });
    return replica;
  }
}

/**
 * Runs the mishaps on virtual time. Throws if two replicas lead at the same time, if the writes of two terms
 * interleave, or if no replica leads within the lease duration after the last mishap.
 */
export async function play(plan: readonly Mishap[], seed: number): Promise<void> {
  const time = new VirtualClock();
  const rng = seededRng(seed);
  await using cluster = await startCluster({ clock: time, rng: seededRng(1) });
  const world = { time, rng, client: cluster.client, written: [] };
  const deployment = new Deployment(world, checksOf(seed));
  const steps = detectable(plan).flatMap((mishap) => [
    { atMs: mishap.atMs, run: () => deployment.begins(mishap) },
    { atMs: mishap.atMs + mishap.forMs, run: () => deployment.ends(mishap) },
  ]);
  for (const { atMs, run } of steps.sort((one, other) => one.atMs - other.atMs)) {
    await deployment.pass(Math.max(0, atMs - time.monotonic()));
    await run();
    deployment.check();
  }
  await takesOver(deployment);
  const terms = consecutiveTerms(deployment.world.written);
  if (new Set(terms).size < terms.length)
    throw new Error(`expected no two terms to interleave writes, got ${terms.join(", ")}`);
}

/**
 * Removes the steps that set a wall clock back during a suspension of the same machine, or so shortly before or after
 * it that the process does not read its clocks in between. Neither clock of the process shows such a suspension, so the
 * process may take itself for the leader. See docs/reliability.md.
 */
function detectable(plan: readonly Mishap[]): readonly Mishap[] {
  const sleeps = plan.filter(({ what }) => what === "asleep");
  return plan.filter(
    ({ what, place, atMs }) =>
      what !== "clock set back" ||
      !sleeps.some(
        (sleep) =>
          sleep.place === place &&
          atMs >= sleep.atMs - readPeriodMs &&
          atMs <= sleep.atMs + sleep.forMs + readPeriodMs,
      ),
  );
}

/**
 * Returns the steps to check: every step in half of the runs, few in the others. `isLeader()` reads the clocks, and an
 * elector must also be right in a program that rarely calls it.
 */
function checksOf(seed: number): () => boolean {
  const rng = seededRng(seed + 1);
  const share = rng.next() < 0.5 ? 1 : 0.05;
  return () => rng.next() < share;
}

/** Expects a leader, kills it, and expects another. */
async function takesOver(deployment: Deployment): Promise<void> {
  await deployment.pass(60_000);
  const leader = await nextLeader(deployment, "after all mishaps");
  deployment.kill(deployment.replicas.indexOf(leader));
  await nextLeader(deployment, "after the last was killed");
}

/**
 * Waits for a leader, at most for the lease duration and two slow attempts. There may be no leader at first: one
 * request in ten is slow, so that a leader may lose the lease without a mishap.
 */
async function nextLeader(deployment: Deployment, when: string): Promise<Replica> {
  const { time } = deployment.world;
  const slowMs = 5_000 + 4_400; // one attempt without success, and the wait for the next
  const untilMs = time.monotonic() + 15_000 + 2 * slowMs;
  while (deployment.leaders().length === 0 && time.monotonic() < untilMs) await deployment.pass(100);
  const [leader] = deployment.leaders();
  if (!leader) throw new Error(`expected a leader ${when}, got none`);
  return leader;
}

/** Returns the terms that wrote, in order. Consecutive writes of one term count once. */
function consecutiveTerms(written: readonly string[]): string[] {
  return written.filter((name, index) => name !== written[index - 1]);
}
