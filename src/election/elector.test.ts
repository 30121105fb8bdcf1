import { expect, test } from "vitest";
import { Lease } from "../api/types/coordination/v1.ts";
import { microTimestamp, sleep } from "../base/index.ts";
import { forever, start, startContest, untilAborted } from "./contest.fixture.ts";
import { LeadershipLostError } from "./index.ts";

/** Returns the time `seconds` after the start, in the format of a Lease. */
const at = (seconds: number): string => microTimestamp(Date.parse(start) + seconds * 1000);

const byAnna = { holderIdentity: "anna", leaseDurationSeconds: 3, leaseTransitions: 4 };

test("a missing lease is created, and acquired at once", async () => {
  await using contest = await startContest();
  const ben = contest.contender("ben").run();
  await contest.pass(0);
  expect(ben.elector.isLeader()).toBe(true);
  expect(await contest.lease()).toEqual({
    holderIdentity: "ben",
    leaseDurationSeconds: 15,
    acquireTime: start,
    renewTime: start,
    leaseTransitions: 0,
  });
});

test.each([
  ["an empty lease", {}, 1],
  ["a lease that was just released", { ...byAnna, holderIdentity: "", renewTime: start }, 5],
])("%s is acquired at once", async (_, spec, leaseTransitions) => {
  await using contest = await startContest();
  await contest.write(spec);
  const ben = contest.contender("ben").run();
  await contest.pass(0);
  expect(ben.elector.isLeader()).toBe(true);
  expect(await contest.lease()).toMatchObject({
    holderIdentity: "ben",
    acquireTime: start,
    leaseTransitions,
  });
});

test("another's lease is acquired once it is unchanged for its duration, and not before", async () => {
  await using contest = await startContest();
  await contest.write({ ...byAnna, acquireTime: at(-9), renewTime: at(-5) });
  const ben = contest.contender("ben").run();
  await contest.pass(2999);
  expect([ben.elector.isLeader(), ben.elector.leader]).toEqual([false, "anna"]);
  await contest.pass(1);
  expect([ben.elector.isLeader(), ben.elector.leader]).toEqual([true, "ben"]);
  expect(await contest.lease()).toEqual({
    holderIdentity: "ben",
    leaseDurationSeconds: 15,
    acquireTime: at(3),
    renewTime: at(3),
    leaseTransitions: 5,
  });
});

test("times in a lease are not compared with the local clock: a lease renewed years ago is waited for", async () => {
  await using contest = await startContest();
  await contest.write({ ...byAnna, leaseDurationSeconds: 15, renewTime: "1999-01-01T00:00:00.000000Z" });
  const ben = contest.contender("ben").run();
  expect(await contest.when(() => ben.elector.isLeader())).toBeCloseTo(15, 2);
});

test("a lease that its holder renews is never taken over", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  const ben = contest.contender("ben").run();
  await contest.pass(600_000);
  expect([anna.elector.isLeader(), ben.elector.isLeader()]).toEqual([true, false]);
  expect(await contest.lease()).toMatchObject({
    acquireTime: start,
    renewTime: at(600),
    leaseTransitions: 0,
  });
});

test("a lease that contains our identity is acquired at once, with its acquire time", async () => {
  await using contest = await startContest();
  await contest.write({ ...byAnna, acquireTime: at(-9), renewTime: at(-5) });
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  expect(anna.elector.isLeader()).toBe(true);
  expect(await contest.lease()).toEqual({
    holderIdentity: "anna",
    leaseDurationSeconds: 15,
    acquireTime: at(-9),
    renewTime: start,
    leaseTransitions: 4,
  });
});

test("all electors are notified of the leader: at first and at each change, including themselves", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  const ben = contest.contender("ben").run();
  await contest.pass(60_000);
  await anna.stop();
  await contest.pass(60_000);
  expect(anna.notified).toEqual([
    "leader anna",
    "LeaderElection: anna became leader",
    "LeaderElection: anna stopped leading",
  ]);
  expect(ben.notified).toEqual(["leader anna", "leader ben", "LeaderElection: ben became leader"]);
});

test("a listener that throws is logged, and the election continues", async () => {
  await using contest = await startContest();
  const onNewLeader = (): never => {
    throw new Error("oops");
  };
  const anna = contest.contender("anna", { onNewLeader }).run();
  await contest.pass(0);
  expect(anna.elector.isLeader()).toBe(true);
  expect(anna.logged).toContainEqual({
    level: "error",
    message: "election listener failed",
    fields: { lease: "default/crown", identity: "anna", error: new Error("oops") },
  });
});

test("a leader renews every two seconds without a read", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run();
  await contest.pass(4000);
  expect(anna.link.methods).toEqual(["GET", "POST", "PUT", "PUT"]);
});

test("a renewal that conflicts is retried after a read, and the next needs no read", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  const lease = await contest.client.get(Lease, "crown");
  await contest.client.patch(Lease, "crown", { merge: { metadata: { labels: { seen: "yes" } } } });
  await contest.pass(4000);
  expect(anna.link.methods).toEqual(["GET", "POST", "PUT", "GET", "PUT", "PUT"]);
  expect(await contest.client.get(Lease, "crown")).toMatchObject({
    metadata: { uid: lease?.metadata.uid, labels: { seen: "yes" } },
    spec: { acquireTime: start, renewTime: at(4), leaseTransitions: 0 },
  });
});

test("leadership is lost when the renew deadline has passed since the last renewal was sent", async () => {
  await using contest = await startContest();
  let reason: unknown;
  const anna = contest.contender("anna").run(async (signal) => {
    await untilAborted(signal);
    reason = signal.reason;
  });
  await contest.pass(5000);
  anna.link.cut = true;
  await contest.pass(8999);
  expect([anna.elector.isLeader(), anna.outcome]).toEqual([true, undefined]);
  await contest.pass(1);
  expect([anna.elector.isLeader(), anna.elector.leadership.aborted]).toEqual([false, true]);
  expect(anna.outcome).toBeInstanceOf(LeadershipLostError);
  expect(anna.outcome).toMatchObject({
    message: "expected to renew lease default/crown within 10000 ms, got no success: cut",
    cause: { name: "ConnectionError" },
  });
  expect(reason).toBe(anna.outcome);
  expect(await contest.lease()).toMatchObject({ holderIdentity: "anna", renewTime: at(4) });
});

test("a renewal with a late response counts from when it was sent", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  anna.link.after = () => sleep(4000, contest);
  await contest.pass(6000); // sent at 2 s, response at 6 s
  anna.link.cut = true;
  expect(await contest.when(() => !anna.elector.isLeader())).toBe(12);
});

test("a renewal without a response is aborted in time for another attempt", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  let hung = 0;
  anna.link.before = (request) => (hung++ === 0 ? forever(request) : undefined);
  await contest.pass(60_000);
  expect([hung > 1, anna.elector.isLeader()]).toEqual([true, true]);
});

test("a leader that finds another holder in the lease stops leading", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run();
  await contest.pass(1000);
  await contest.write({ ...byAnna, holderIdentity: "ben" });
  expect(await contest.when(() => !anna.elector.isLeader())).toBe(2);
  await contest.pass(0);
  expect(anna.outcome).toEqual(
    new LeadershipLostError("expected lease default/crown to be held by anna, got ben"),
  );
  expect([anna.elector.leader, (await contest.lease())?.holderIdentity]).toEqual(["ben", "ben"]);
});

test("a leader stops leading if another has led and released the lease meanwhile", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run();
  await contest.pass(1000);
  await contest.write({ ...byAnna, holderIdentity: "" });
  expect(await contest.when(() => !anna.elector.isLeader())).toBe(2);
  await contest.pass(0);
  expect(anna.outcome).toEqual(
    new LeadershipLostError("expected lease default/crown to be held by anna, got no holder"),
  );
});

test("a deleted lease is created again by its holder, and by others only after it would have expired", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  const ben = contest.contender("ben").run();
  await contest.pass(5000);
  anna.link.cut = true;
  await contest.client.delete(Lease, "crown");
  const deletedMs = contest.clock.monotonic();
  const taken = await contest.when(() => ben.elector.isLeader());
  expect(taken * 1000 - deletedMs).toBeGreaterThan(10_000);

  const carl = contest.contender("carl").run();
  await contest.pass(5000);
  await contest.client.delete(Lease, "crown");
  await contest.pass(60_000);
  expect([ben.elector.isLeader(), carl.elector.isLeader()]).toEqual([true, false]);
});

test("a standby acquires the lease as soon as it expires", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  const ben = contest.contender("ben").run();
  await contest.pass(0); // ben has now observed the lease
  anna.link.cut = true;
  expect(await contest.when(() => ben.elector.isLeader())).toBeCloseTo(15, 2);
});

test("an elector has one run at a time, and can run again after that", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run(async () => {});
  await expect(anna.elector.run(untilAborted, { signal: AbortSignal.abort() })).rejects.toThrow(
    "elector of lease default/crown is already running",
  );
  await contest.pass(0);
  expect([anna.outcome, anna.elector.isLeader()]).toEqual(["done", false]);
  anna.run();
  await contest.pass(0);
  expect(anna.elector.isLeader()).toBe(true);
  expect(await contest.lease()).toMatchObject({ holderIdentity: "anna", leaseTransitions: 1 });
});

test.each([false, true])(
  "of two simultaneous attempts one succeeds, and neither warns: lease exists %s",
  async (exists) => {
    await using contest = await startContest();
    if (exists) await contest.write({ ...byAnna, holderIdentity: "" });
    const both = ["carl", "ben"].map((name) => contest.contender(name));
    let tries = 0;
    let release = (): void => {};
    const bothTry = new Promise<void>((resolve) => {
      release = resolve;
    });
    for (const { link } of both) {
      link.before = async ({ method }) => {
        if (method === "GET") return undefined;
        tries += 1;
        if (tries === 2) release();
        await bothTry;
        return undefined;
      };
    }
    for (const contender of both) contender.run();
    await contest.pass(100);
    const warnings = both.flatMap(({ logged }) => logged.filter(({ level }) => level === "warn"));
    expect([both.filter(({ elector }) => elector.isLeader()).length, tries, warnings]).toEqual([1, 2, []]);
  },
);
