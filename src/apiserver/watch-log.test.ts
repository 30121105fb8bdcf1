import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import { framedChanges, framedCharacters, WatchLog } from "./watch-log.ts";

function change(revision: number, length = 2) {
  const after = { key: "a", revision, json: "x".repeat(length) };
  return { key: "a", revision, before: undefined, after };
}

test("a change keeps its frames while it is among the newest, and stays longer itself", () => {
  const log = new WatchLog(new VirtualClock(), 0);
  log.append(change(1));
  log.at(0)?.frames?.set({}, new Map([["ADDED", Buffer.from("frame")]]));
  for (let revision = 2; revision <= framedChanges; revision++) log.append(change(revision));
  const before = log.at(0)?.frames?.size;
  log.append(change(framedChanges + 1));
  expect([before, log.at(0)?.frames, log.at(0)?.change.revision]).toEqual([1, undefined, 1]);
});

test("frames of large changes are kept for fewer of them", () => {
  const log = new WatchLog(new VirtualClock(), 0);
  for (let revision = 1; revision <= 5; revision++) log.append(change(revision, framedCharacters / 2));
  const framed = [0, 1, 2, 3, 4].map((number) => log.at(number)?.frames !== undefined);
  expect(framed).toEqual([false, false, false, true, true]);
});

test("the log counts the characters of the changes that it keeps", () => {
  const clock = new VirtualClock();
  const log = new WatchLog(clock, 0, { least: 2, most: 3 });
  for (let revision = 1; revision <= 5; revision++) log.append(change(revision, 10 * revision));
  expect(log.characters).toBe(30 + 40 + 50);
  expect([log.shrink(), log.characters, log.forgotten]).toEqual([true, 90, 3]);
  expect([log.shrink(), log.shrink(), log.characters, log.forgotten]).toEqual([true, false, 50, 4]);
  log.forget(5);
  expect([log.characters, log.forgotten]).toEqual([0, 5]);
});
