import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { uncounted } from "./uncounted.ts";

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
