import { expect, test } from "vitest";
import { isAlreadyExists, isConflict } from "../client/index.ts";
import { startCluster } from "../testing/index.ts";
import { type ElectionRecord, recordOf, specOf } from "./election-record.ts";
import { LeaseLock } from "./lease-lock.ts";

const { signal } = new AbortController();
const record: ElectionRecord = {
  holder: "anna",
  leaseDurationSeconds: 15,
  acquireTime: "2026-01-01T00:00:00.000000Z",
  renewTime: "2026-01-01T00:00:02.000001Z",
  transitions: 3,
};

test("a record survives a round trip through a LeaseSpec", () => {
  expect(recordOf(specOf(record))).toEqual(record);
});

test("an empty LeaseSpec has no holder and no duration", () => {
  const nothing = { holder: "", leaseDurationSeconds: 0, transitions: 0 };
  expect([recordOf({}), recordOf(undefined)]).toEqual([nothing, nothing]);
});

test("a created lease can be read by others, and only one of two updates of a version succeeds", async () => {
  await using cluster = await startCluster();
  const place = { name: "crown", namespace: "default" };
  const [one, other] = [new LeaseLock(cluster.client, place), new LeaseLock(cluster.client, place)];
  expect(await one.get(signal)).toBeUndefined();
  await one.create(record, signal);
  await expect(other.create(record, signal)).rejects.toSatisfy(isAlreadyExists);
  expect(await other.get(signal)).toEqual(record);
  await other.update({ ...record, holder: "ben" }, signal);
  await expect(one.update({ ...record, transitions: 9 }, signal)).rejects.toSatisfy(isConflict);
  expect(await one.get(signal)).toEqual({ ...record, holder: "ben" });
});

test("an update before a get or create throws", async () => {
  await using cluster = await startCluster();
  const lock = new LeaseLock(cluster.client, { name: "crown", namespace: "default" });
  await expect(lock.update(record, signal)).rejects.toThrow(
    "LeaseLock.update() needs a get() or create() first",
  );
});
