import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { giveBack, uncounted } from "./uncounted.ts";

const mb = 1024 * 1024;

test("memory that nobody can reach is given back, though V8 takes no account of it", async () => {
  const before = process.memoryUsage.rss();
  let most = before;
  for (let pages = 0; pages < 2000; pages++) {
    uncounted(mb).fill(1);
    if (pages % 8 === 0) await setImmediate();
    most = Math.max(most, process.memoryUsage.rss());
  }
  expect(most - before).toBeLessThan(800 * mb);
});

test("it can be written, read and compared as other memory", () => {
  const memory = uncounted(20);
  memory.write("one two", 3);
  expect([memory.length, memory.toString("utf8", 3, 10), memory.indexOf("two")]).toEqual([20, "one two", 7]);
});

test("of what nobody can reach an eighth as much is used again as is in use, and nothing that somebody has", async () => {
  const kept = Array.from({ length: 256 }, () => uncounted(size).fill("kept"));
  for (let count = 0; count < 300; count++) uncounted(size).fill("gone");
  await collect();
  const taken = Array.from({ length: 300 }, () => uncounted(size));

  const again = taken.filter((memory) => memory.toString("latin1", 0, 4) === "gone").length;
  expect(again).toBeGreaterThan(0);
  expect(again).toBeLessThanOrEqual(kept.length / 8);
  expect(taken.every((memory) => !kept.some(({ buffer }) => buffer === memory.buffer))).toBe(true);
  expect(kept.every((memory) => memory.toString("latin1", 0, 4) === "kept")).toBe(true);
});

test("what is given back is used again at once", () => {
  const kept = Array.from({ length: 8 }, () => uncounted(5 * 4096));
  const memory = uncounted(5 * 4096);
  const { buffer } = memory;
  giveBack(memory);
  giveBack(memory); // once more is the same
  expect(uncounted(5 * 4096).buffer).toBe(buffer);
  expect(uncounted(5 * 4096).buffer).not.toBe(buffer);
  expect(kept.length).toBe(8);
});

/** Of no other test. */
const size = 3 * 4096;

/** Has the garbage collector run, and tell what it found. */
async function collect(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void; // what the flag brings into new contexts
  for (let times = 0; times < 3; times++) {
    gc();
    await setImmediate();
  }
}
