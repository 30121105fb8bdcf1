import { expect, test } from "vitest";
import { Lease } from "../api/types/coordination/v1.ts";
import { microTimestamp, sleep } from "../base/index.ts";
import { type Contest, forever, start, startContest, untilAborted } from "./contest.fixture.ts";
import { LeadershipLostError } from "./index.ts";

const at = (seconds: number): string => microTimestamp(Date.parse(start) + seconds * 1000);

/** Returns the spec of a lease that was released at that time. */
const givenBack = (seconds: number, leaseTransitions: number): object => ({
  holderIdentity: "",
  leaseDurationSeconds: 1,
  acquireTime: at(seconds),
  renewTime: at(seconds),
  leaseTransitions,
});

/** Changes the lease as another program would. */
async function touch({ client }: Contest, how: string): Promise<void> {
  await client.patch(Lease, "crown", { merge: { metadata: { annotations: { touched: how } } } });
}

test("a released lease has no holder and keeps its transitions, and the next attempt acquires it", async () => {
  await using contest = await startContest();
  await contest.write({ holderIdentity: "", leaseTransitions: 6 });
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  const ben = contest.contender("ben").run();
  await contest.pass(1000);
  await anna.stop();
  expect(anna.outcome).toBe("done");
  expect(await contest.lease()).toEqual(givenBack(1, 7));
  expect(await contest.when(() => ben.elector.isLeader())).toBeLessThanOrEqual(1 + 2 * 2.2);
  expect(await contest.lease()).toMatchObject({ holderIdentity: "ben", leaseTransitions: 8 });
});

test("a lease is read before it is released, and again if it changed meanwhile", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  let reads = 0;
  anna.link.after = async ({ method }) => {
    if (method === "GET" && reads++ === 0) await touch(contest, "after it was read");
  };
  await touch(contest, "before it was read");
  await anna.stop();
  expect(anna.link.methods).toEqual(["GET", "POST", "GET", "PUT", "GET", "PUT"]);
  expect(await contest.lease()).toEqual(givenBack(0, 0));
});

test("a lease that another has acquired is not released", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  await contest.write({ holderIdentity: "ben", leaseDurationSeconds: 15 });
  await anna.stop();
  expect([anna.outcome, anna.link.methods]).toEqual(["done", ["GET", "POST", "GET"]]);
  expect(await contest.lease()).toMatchObject({ holderIdentity: "ben" });
});

test("the work is aborted, the lease is renewed until it has ended, and released after that", async () => {
  await using contest = await startContest();
  const { clock } = contest;
  const story: string[] = [];
  const anna = contest.contender("anna").run(async (signal) => {
    await untilAborted(signal);
    story.push(`aborted: ${signal.reason.message}`);
    await sleep(40_000, { clock });
    story.push(`ended, leading: ${anna.elector.isLeader()}`);
  });
  await contest.pass(0);
  const stopped = anna.stop();
  await contest.pass(39_999);
  expect(await contest.lease()).toMatchObject({ holderIdentity: "anna", renewTime: at(38) });
  await contest.pass(1);
  await stopped;
  expect(story).toEqual(["aborted: test stopped", "ended, leading: true"]);
  expect([anna.outcome, anna.elector.isLeader()]).toEqual(["done", false]);
  expect(await contest.lease()).toEqual(givenBack(40, 0));
});

test("failed work releases the lease, and its error rejects the run", async () => {
  await using contest = await startContest();
  const oops = new Error("oops");
  const anna = contest.contender("anna").run(() => Promise.reject(oops));
  await contest.pass(0);
  expect(anna.outcome).toBe(oops);
  expect(await contest.lease()).toEqual(givenBack(0, 0));
});

test("an error of the work after leadership was lost is logged, and the loss rejects the run", async () => {
  await using contest = await startContest();
  const oops = new Error("oops");
  const anna = contest.contender("anna").run(async (signal) => {
    await untilAborted(signal);
    throw oops;
  });
  await contest.pass(0);
  anna.link.cut = true;
  await contest.pass(10_000);
  expect(anna.outcome).toBeInstanceOf(LeadershipLostError);
  expect(anna.logged.at(-1)).toMatchObject({
    level: "warn",
    message: "work failed after the lease was lost",
    fields: { error: oops },
  });
});

test.each(["POST", "PUT"])(
  "an elector stopped during its %s releases the lease that it acquired",
  async (method) => {
    await using contest = await startContest();
    if (method === "PUT") await contest.write({});
    const anna = contest.contender("anna").run();
    anna.link.after = (request) => (request.method === method ? forever(request) : undefined);
    await contest.pass(1000);
    expect(await contest.lease()).toMatchObject({ holderIdentity: "anna" });
    anna.link.after = () => undefined;
    await anna.stop();
    expect([anna.outcome, anna.elector.isLeader()]).toEqual(["done", false]);
    expect(await contest.lease()).toMatchObject({ holderIdentity: "" });
  },
);

test("an elector stopped during a renewal releases the lease", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  anna.link.after = (request) => (request.method === "PUT" ? forever(request) : undefined);
  await contest.pass(3000);
  anna.link.after = () => undefined;
  await anna.stop();
  expect(await contest.lease()).toEqual(givenBack(3, 0));
  expect(anna.notified).toEqual([
    "leader anna",
    "LeaderElection: anna became leader",
    "LeaderElection: anna stopped leading",
  ]);
});

test("an elector that never wrote the lease stops at once and leaves it unchanged", async () => {
  await using contest = await startContest();
  await contest.write({ holderIdentity: "ben", leaseDurationSeconds: 15 });
  const anna = contest.contender("anna").run();
  await contest.pass(1000);
  await anna.stop();
  expect([anna.outcome, anna.link.methods]).toEqual(["done", ["GET"]]);
});

test("an elector stopped during a read stops at once", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna");
  anna.link.before = forever;
  anna.run();
  await contest.pass(0);
  await anna.stop();
  expect([anna.outcome, anna.logged.map(({ message }) => message)]).toEqual([
    "done",
    ["waiting for the lease"],
  ]);
});

test("a lease that cannot be released is left to expire", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna").run();
  await contest.pass(0);
  anna.link.before = forever;
  const stopped = anna.stop();
  await contest.pass(10_000);
  await stopped;
  expect(anna.outcome).toBe("done");
  expect(anna.logged.at(-1)).toMatchObject({ level: "warn", message: "releasing the lease failed" });
});

test("with release: false the lease is not released", async () => {
  await using contest = await startContest();
  const anna = contest.contender("anna", { release: false }).run();
  await contest.pass(0);
  await anna.stop();
  expect(await contest.lease()).toMatchObject({ holderIdentity: "anna" });
});
