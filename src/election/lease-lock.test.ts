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

test("a record is written to a lease and read again as it was", () => {
  expect(recordOf(specOf(record))).toEqual(record);
});

test("what a lease does not say is nobody, for no time", () => {
  const nothing = { holder: "", leaseDurationSeconds: 0, transitions: 0 };
  expect([recordOf({}), recordOf(undefined)]).toEqual([nothing, nothing]);
});

test("a lease that was made is read by others, and only one of two updates of a version is accepted", async () => {
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

test("an update of what was never read is a mistake", async () => {
  await using cluster = await startCluster();
  const lock = new LeaseLock(cluster.client, { name: "crown", namespace: "default" });
  await expect(lock.update(record, signal)).rejects.toThrow(
    "expected an update after a get or a create, got one before",
  );
});
