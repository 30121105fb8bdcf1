import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import type { Clock, VirtualClock } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { readPeriodMs } from "./clock-watch.ts";
import { type Contender, type Contest, Link, startContest } from "./contest.fixture.ts";
import { fenced } from "./index.ts";

/** A machine's clocks. A sleep stops the monotonic clock, and a step sets the wall clock. */
class Machine implements Clock {
  readonly #time: VirtualClock;
  aheadMs = 0;

  constructor(time: VirtualClock) {
    this.#time = time;
  }

  now(): number {
    return this.#time.now() + this.aheadMs;
  }

  monotonic(): number {
    return this.#time.monotonic();
  }

  timer(afterMs: number, run: () => void): ReturnType<Clock["timer"]> {
    return this.#time.timer(afterMs, run);
  }
}

interface Leader {
  readonly anna: Contender;
  readonly machine: Machine;
  /** A fenced client. */
  readonly client: Client;
  /** The transport below the fence. */
  readonly link: Link;
}

async function leader(contest: Contest): Promise<Leader> {
  const machine = new Machine(contest.clock);
  const anna = contest.contender("anna", { clock: machine }).run();
  await contest.pass(0);
  const link = new Link(contest.client.transport);
  return { anna, machine, link, client: contest.client.through(() => fenced(link, anna.elector)) };
}

const menu = { metadata: { name: "menu" } };

/** Tracks the outcome of a write: the object's name, or the error's. */
function outcomeOf(write: Promise<{ readonly metadata: { readonly name: string } }>): { now: string } {
  const outcome = { now: "waits" };
  void write.then(
    ({ metadata }) => (outcome.now = metadata.name),
    (error: Error) => (outcome.now = error.name),
  );
  return outcome;
}

test("after a step of the wall clock, writes wait for an immediate renewal and are then sent", async () => {
  await using contest = await startContest();
  const { anna, machine, client, link } = await leader(contest);
  await contest.pass(500);
  machine.aheadMs = 3_600_000;
  const renewals = anna.link.methods.length;
  anna.link.before = async () =>
    void (await new Promise<void>((resolve) => void machine.timer(300, resolve)));
  const write = outcomeOf(client.create(ConfigMap, menu));
  await contest.pass(299);
  expect([write.now, link.methods, anna.elector.isLeader()]).toEqual(["waits", [], false]);
  await contest.pass(1);
  expect([write.now, link.methods, anna.elector.isLeader()]).toEqual(["menu", ["POST"], true]);
  expect(anna.link.methods.slice(renewals)).toEqual(["PUT"]);
  expect(anna.logged.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
    "wall clock ran ahead; writes wait until the lease is renewed",
  ]);
});

test("a renewal in flight when the clock stepped does not end the wait", async () => {
  await using contest = await startContest();
  const { anna, machine, client } = await leader(contest);
  anna.link.after = async () => void (await new Promise<void>((resolve) => void machine.timer(300, resolve)));
  await contest.pass(2100);
  machine.aheadMs = 60_000;
  const write = outcomeOf(client.create(ConfigMap, menu));
  await contest.pass(250);
  expect(write.now).toBe("waits");
  await contest.pass(300);
  expect(write.now).toBe("menu");
});

test("a write that waits for a connection when the clock steps is held, and sent once after the renewal", async () => {
  await using contest = await startContest();
  const { machine, anna, client, link } = await leader(contest);
  let sent = 0;
  link.before = async (request) => {
    await new Promise<void>((resolve) => void machine.timer(1000, resolve));
    request.beforeSend?.();
    sent += 1;
    return undefined;
  };
  const write = outcomeOf(client.create(ConfigMap, menu));
  await contest.pass(500);
  machine.aheadMs = 60_000;
  anna.link.before = async () =>
    void (await new Promise<void>((resolve) => void machine.timer(700, resolve)));
  await contest.pass(1000);
  expect([write.now, sent]).toEqual(["waits", 0]);
  await contest.pass(2000);
  expect([write.now, sent]).toEqual(["menu", 1]);
});

test("if another holds the lease after a pause, waiting writes are refused and leadership ends", async () => {
  await using contest = await startContest();
  const { anna, machine, client, link } = await leader(contest);
  const spec = await contest.lease();
  await contest.write({ ...spec, holderIdentity: "ben", renewTime: "2026-01-01T00:01:00.000000Z" });
  machine.aheadMs = 60_000;
  const write = outcomeOf(client.create(ConfigMap, menu));
  await contest.pass(0);
  expect([write.now, link.methods, anna.elector.leadership.aborted]).toEqual(["NotLeaderError", [], true]);
  expect(anna.outcome).toMatchObject({ name: "LeadershipLostError" });
});

test("if no renewal succeeds after a step, leadership ends at the renew deadline", async () => {
  await using contest = await startContest();
  const { anna, machine, client } = await leader(contest);
  machine.aheadMs = 60_000;
  anna.link.cut = true;
  const write = outcomeOf(client.create(ConfigMap, menu));
  await contest.pass(9999);
  expect([write.now, anna.elector.leadership.aborted]).toEqual(["waits", false]);
  await contest.pass(1);
  expect([write.now, anna.elector.leadership.aborted]).toEqual(["NotLeaderError", true]);
});

test.each([
  ["after", [60_000, -3_600_000]],
  ["before", [-3_600_000, -3_540_000]],
])(
  "a wall clock that is set back %s a pause does not hide the pause from a program that reads no clock",
  async (_, steps) => {
    await using contest = await startContest();
    const { anna, machine } = await leader(contest);
    anna.link.cut = true;
    for (const aheadMs of steps) {
      machine.aheadMs = aheadMs;
      await contest.pass(readPeriodMs);
    }
    expect([anna.elector.isLeader(), anna.elector.leadership.aborted]).toEqual([false, false]);
    anna.link.cut = false;
    await contest.pass(readPeriodMs);
    expect(anna.elector.isLeader()).toBe(true);
  },
);

test("a waiting write is rejected when its caller aborts it", async () => {
  await using contest = await startContest();
  const { anna, machine, client } = await leader(contest);
  machine.aheadMs = 60_000;
  anna.link.cut = true;
  const stop = new AbortController();
  const write = client.create(ConfigMap, menu, { signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(write).rejects.toThrow("enough");
});
