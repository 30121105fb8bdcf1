import { expect, test } from "vitest";
import { KeyHistory } from "./key-history.ts";
import { Writers } from "./writers.ts";

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
