import { expect, test } from "vitest";
import { bookmark, error, initialEnd, list, Reflected } from "./reflected.fixture.ts";
import { lost, refused, type Scripted, Stream } from "./scripted-transport.fixture.ts";

const times = (count: number, reply: () => Scripted): Scripted[] => Array.from({ length: count }, reply);
const down = (): Scripted => lost("ECONNREFUSED");

/** How long each of so many tries was waited for. */
async function waits(reflected: Reflected, count: number): Promise<number[]> {
  const waited: number[] = [];
  for (let tries = 0; tries < count; tries++) waited.push((await reflected.next()).afterMs);
  return waited;
}

/** Once to twice of it. */
function expectAbout(waited: readonly number[], baseMs: readonly number[]): void {
  const shares = waited.map((ms, index) => ms / (baseMs[index] ?? Number.NaN));
  expect(shares.filter((share) => !(share >= 1 && share < 2))).toEqual([]);
  expect(waited).toHaveLength(baseMs.length);
}

test("waits double from 0.8 s to 30 s, each lengthened by up to itself", async () => {
  await using reflected = new Reflected(times(9, down));
  await reflected.asked();
  const waited = await waits(reflected, 9);
  expectAbout(waited, [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000]);
});

test("waits are not the same for any two", async () => {
  const one = new Reflected(times(3, down), { seed: 1 });
  const other = new Reflected(times(3, down), { seed: 2 });
  expect(await waits(one, 3)).not.toEqual(await waits(other, 3));
  await one.end();
  await other.end();
});

test("a list does not make waits begin anew", async () => {
  const full = (version: string): Stream => new Stream().lines(initialEnd(version), error(410, "Expired"));
  await using reflected = new Reflected([full("10"), full("11"), full("12"), full("13")]);
  await reflected.asked();
  expectAbout(await waits(reflected, 4), [800, 1600, 3200, 6400]);
});

test("a watch that is heard for less than a minute does not make waits begin anew", async () => {
  const watch = new Stream().lines(initialEnd("10"));
  await using reflected = new Reflected([...times(3, down), watch, ...times(2, down)]);
  await reflected.asked();
  expectAbout(await waits(reflected, 3), [800, 1600, 3200]);
  await reflected.clock.advance(59_999);
  watch.lines(bookmark("11")).cut();
  await reflected.asked();
  expectAbout(await waits(reflected, 2), [6400, 12_800]);
});

test("a watch that is heard for a minute does", async () => {
  const watch = new Stream().lines(initialEnd("10"));
  await using reflected = new Reflected([...times(3, down), watch, ...times(2, down)]);
  await reflected.asked();
  expectAbout(await waits(reflected, 3), [800, 1600, 3200]);
  await reflected.clock.advance(60_000);
  watch.lines(bookmark("11")).cut();
  await reflected.asked();
  expectAbout(await waits(reflected, 2), [800, 1600]);
});

test("a server that never answers does not make waits begin anew, however long it takes", async () => {
  await using reflected = new Reflected(["never", "never", "never", "never"]);
  await reflected.asked();
  const waited = await waits(reflected, 3);
  expectAbout(
    waited.map((ms) => ms - 70_000),
    [800, 1600, 3200],
  );
  await reflected.transport.answerLate();
});

test("a server that says how long to wait is waited for so long", async () => {
  const busy = (): Scripted => ({
    ...refused({ code: 429, reason: "TooManyRequests" }),
    headers: { "retry-after": "20" },
  });
  await using reflected = new Reflected([busy(), busy()]);
  await reflected.asked();
  expect(await waits(reflected, 2)).toEqual([20_000, 20_000]);
});

test("a server that says in a watch how long to wait is waited for so long", async () => {
  const watch = new Stream().lines(
    initialEnd("10"),
    error(429, "TooManyRequests", { details: { retryAfterSeconds: 9 } }),
  );
  await using reflected = new Reflected([watch]);
  await reflected.asked();
  expect(await reflected.next()).toEqual({ afterMs: 9000, asked: ["watch 10"] });
});

test("a watch that cannot be had any more is asked for a hundred times an hour at most", async () => {
  await using reflected = new Reflected(times(500, down));
  await reflected.clock.advance(3_600_000);
  const asked = await reflected.asked();
  expect(asked.length).toBeGreaterThan(60);
  expect(asked.length).toBeLessThanOrEqual(100);
});

test("a missing right is told every time, and asked for again", async () => {
  const message = 'configmaps is forbidden: User "u" cannot list resource "configmaps"';
  const forbidden = (): Scripted => refused({ code: 403, reason: "Forbidden", message });
  await using reflected = new Reflected([...times(4, forbidden), new Stream().lines(initialEnd("10"))]);
  expect(await reflected.asked()).toEqual(['stream ""', 'list "" limit 500']);
  expect((await reflected.next()).asked).toEqual(['stream ""', 'list "" limit 500']);
  expect((await reflected.next()).asked).toEqual(['stream ""']);
  expect(await reflected.told()).toEqual(["replace 10"]);
  const told = `expected success of GET /api/v1/configmaps?limit=500, got 403 Forbidden: ${message}`;
  expect(reflected.errors).toEqual([told, told]);
});

test("a kind that is not there is asked for until it is", async () => {
  const missing = (): Scripted => refused({ code: 404, reason: "NotFound" });
  await using reflected = new Reflected([missing(), missing(), new Stream().lines(initialEnd("10"))]);
  expect(await reflected.asked()).toEqual(['stream ""', 'list "" limit 500']);
  expect(reflected.errors).toHaveLength(1);
  expect((await reflected.next()).asked).toEqual(['stream ""']);
  expect(await reflected.told()).toEqual(["replace 10"]);
});

test("a watch that is forbidden makes of the cache one that is listed now and then", async () => {
  const forbidden = (): Scripted => refused({ code: 403, reason: "Forbidden" });
  const replies = [forbidden(), list("10", []), forbidden(), forbidden(), list("20", []), forbidden()];
  await using reflected = new Reflected(replies);
  expect(await reflected.asked()).toEqual(['stream ""', 'list "" limit 500', "watch 10"]);
  expect((await reflected.next()).asked).toEqual(["stream 10", "list 10", "watch 20"]);
  expect(await reflected.told()).toEqual(["replace 10", "replace 20"]);
});

test("where the objects are is asked for until it is known, each time after a while", async () => {
  const known = [new Error("no such kind"), new Error("no answer"), undefined];
  await using reflected = new Reflected([], {
    async lookUp() {
      const failure = known.shift();
      if (failure) throw failure;
    },
  });
  const { afterMs, asked } = await reflected.next();
  expect(asked).toEqual(['stream ""']);
  expect(afterMs).toBeGreaterThanOrEqual(2400);
  expect(reflected.errors).toEqual(["no such kind", "no answer"]);
});

test("where the objects are is asked for again when nothing is there any more, and only then", async () => {
  let lookUps = 0;
  const replies = [404, 404, 500, 500].map((code) => refused({ code }));
  await using reflected = new Reflected(replies, {
    async lookUp() {
      lookUps += 1;
    },
  });
  await reflected.asked();
  expect(lookUps).toBe(1);
  await reflected.next();
  expect(lookUps).toBe(2);
  await reflected.next();
  expect(lookUps).toBe(2);
});

test("who ends while it is asked where the objects are does not wait for the answer", async () => {
  const reflected = new Reflected([], { lookUp: () => new Promise(() => {}) });
  await reflected.asked();
  await reflected.end();
  expect(reflected.errors).toEqual([]);
});

test("what is wrong for long is told once, in words and without a stack, and again after the server was heard", async () => {
  const watch = new Stream().lines(initialEnd("10"));
  await using reflected = new Reflected([...times(3, down), watch, ...times(3, down)]);
  await reflected.asked();
  await waits(reflected, 3);
  watch.cut();
  await reflected.asked();
  await waits(reflected, 2);
  const warned = reflected.logged.filter(({ level }) => level === "warn");
  expect(warned.map(({ message, fields }) => [message, typeof fields.error])).toEqual([
    ["watch failed", "string"],
    ["watch failed", "string"],
    ["watch failed", "string"],
  ]);
});

test("what has been told to people by who hears of it is logged for debugging alone", async () => {
  await using reflected = new Reflected(times(3, down), { onError: () => true });
  await reflected.asked();
  await waits(reflected, 2);
  const failures = reflected.logged.filter(({ message }) => message.startsWith("watch fail"));
  expect(failures.map(({ level, message }) => `${level} ${message}`)).toEqual([
    "debug watch failed",
    "debug watch fails still",
    "debug watch fails still",
  ]);
});

test("a watch that was told to be broken is told to be well again, once, with how long it was away", async () => {
  const watch = new Stream().lines(initialEnd("10"));
  await using reflected = new Reflected([...times(3, down), watch, down(), new Stream()]);
  await reflected.asked();
  await waits(reflected, 3);
  const firstMs = reflected.clock.monotonic();
  await reflected.clock.advance(5000);
  const brokenMs = reflected.clock.monotonic();
  watch.cut();
  await waits(reflected, 2);
  const secondMs = reflected.clock.monotonic() - brokenMs;
  await reflected.clock.advance(5000);
  expect(told(reflected)).toEqual([
    ["warn watch failed", undefined],
    ["info watch is well again", Math.round(firstMs)],
    ["warn watch failed", undefined],
    ["warn watch failed", undefined],
    ["info watch is well again", Math.round(secondMs)],
  ]);
});

test("a watch that is never opened is not told to be well for the lists between", async () => {
  const forbidden = (): Scripted => refused({ code: 403, reason: "Forbidden" });
  const replies = [forbidden(), list("10", []), forbidden(), forbidden(), list("20", []), forbidden()];
  await using reflected = new Reflected(replies);
  await reflected.asked();
  await waits(reflected, 1);
  expect(told(reflected).filter(([said]) => said.startsWith("info"))).toEqual([]);
});

test("what others have told of, they tell the end of too", async () => {
  await using reflected = new Reflected([...times(2, down), new Stream().lines(initialEnd("10"))], {
    onError: () => true,
  });
  await reflected.asked();
  await waits(reflected, 2);
  expect(told(reflected)).toEqual([]);
});

/** What people read, and how long it was away. */
function told({ logged }: Reflected): [said: string, awayMs: unknown][] {
  return logged
    .filter(({ level }) => level !== "debug")
    .map(({ level, message, fields }) => [`${level} ${message}`, fields.awayMs]);
}
