import { expect, test } from "vitest";
import { KeyHistory, Writers, WrittenObject } from "./key-history.ts";

test("at most sixty-four objects are remembered for a key", () => {
  const history = new KeyHistory("test", "default/a");
  const remembered = Array.from({ length: 66 }, (_, at) => history.ensureTarget(`Pod ${at}`) !== undefined);
  expect(remembered).toEqual([...Array.from({ length: 64 }, () => true), false, false]);
  expect(history.ensureTarget("Pod 0")).toBe(history.target("Pod 0"));
});

test("an own delete is matched with one event", () => {
  const target = new WrittenObject();
  target.recordDelete();
  expect([target.takeDeleteEcho(), target.takeDeleteEcho()]).toEqual([true, false]);
});

test("an object is suspect after two writes, and no longer after ten minutes without a write", () => {
  const target = new WrittenObject();
  const suspect = [0, 1, 2, 600_003].map((nowMs) => {
    target.recordWrite({ version: `${nowMs}`, moved: true, nowMs });
    return target.isSuspect(nowMs);
  });
  expect([...suspect, target.isSuspect(1_200_004)]).toEqual([false, true, true, false, false]);
});

test("requeues are counted within a time window", () => {
  const history = new KeyHistory("test", "default/a");
  const counts = [1, 50, 101, 102, 203].map((nowMs) => history.requeued(nowMs, 100).count);
  expect(counts).toEqual([1, 2, 3, 1, 1]);
});

test("a version belongs to its first writer: a write that changes nothing gets the existing version", () => {
  const writers = new Writers();
  const [first, second] = [new KeyHistory("one", "default/a"), new KeyHistory("two", "default/a")];
  writers.add("7", first);
  writers.add("7", second);
  expect([writers.of("7"), writers.of("8"), writers.of(undefined)]).toEqual([first, undefined, undefined]);
});

test("after ten thousand versions the oldest is evicted", () => {
  const writers = new Writers();
  const writer = new KeyHistory("one", "default/a");
  for (let version = 0; version <= 10_000; version += 1) writers.add(`${version}`, writer);
  expect([writers.of("0"), writers.of("1"), writers.of("10000")]).toEqual([undefined, writer, writer]);
});
