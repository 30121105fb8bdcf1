import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import { framedChanges, WatchLog } from "./watch-log.ts";

function change(revision: number) {
  const after = { key: "a", revision, json: "{}" };
  return { key: "a", revision, before: undefined, after };
}

test("a change keeps what watchers made of it for as long as it is among the newest, and itself longer", () => {
  const log = new WatchLog(new VirtualClock(), 0);
  log.append(change(1));
  log.at(0)?.frames.set({}, new Map([["ADDED", Buffer.from("frame")]]));
  for (let revision = 2; revision <= framedChanges; revision++) log.append(change(revision));
  const before = log.at(0)?.frames.size;
  log.append(change(framedChanges + 1));
  expect([before, log.at(0)?.frames.size, log.at(0)?.change.revision]).toEqual([1, 0, 1]);
});
