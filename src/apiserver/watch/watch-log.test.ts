import { expect, test } from "vitest";
import { VirtualClock } from "../../base/index.ts";
import { maxFramedChanges, maxFramedCharacters, WatchLog } from "./watch-log.ts";

function change(revision: number, length = 2) {
  const after = { key: "a", revision, json: "x".repeat(length) };
  return { key: "a", revision, before: undefined, after };
}

test("a change keeps its frames while it is among the newest, and stays in the log longer", () => {
  const log = new WatchLog(new VirtualClock(), 0);
  log.append(change(1));
  log.at(0)?.frames?.set({}, new Map([["ADDED", Buffer.from("frame")]]));
  for (let revision = 2; revision <= maxFramedChanges; revision++) log.append(change(revision));
  const before = log.at(0)?.frames?.size;
  log.append(change(maxFramedChanges + 1));
  expect([before, log.at(0)?.frames, log.at(0)?.change.revision]).toEqual([1, undefined, 1]);
});

test("frames are kept for fewer changes if the changes are large", () => {
  const log = new WatchLog(new VirtualClock(), 0);
  for (let revision = 1; revision <= 5; revision++) log.append(change(revision, maxFramedCharacters / 2));
  const framed = [0, 1, 2, 3, 4].map((number) => log.at(number)?.frames !== undefined);
  expect(framed).toEqual([false, false, false, true, true]);
});

test("the log counts the characters of the changes that it keeps", () => {
  const clock = new VirtualClock();
  const log = new WatchLog(clock, 0, { minChanges: 2, maxChanges: 3 });
  for (let revision = 1; revision <= 5; revision++) log.append(change(revision, 10 * revision));
  expect(log.characters).toBe(30 + 40 + 50);
  expect([log.shrink(), log.characters, log.compacted]).toEqual([true, 90, 3]);
  expect([log.shrink(), log.shrink(), log.characters, log.compacted]).toEqual([true, false, 50, 4]);
  log.compact(5);
  expect([log.characters, log.compacted]).toEqual([0, 5]);
});
