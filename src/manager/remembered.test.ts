import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import { Remembered } from "./remembered.ts";

function remembered(most = 10): {
  readonly clock: VirtualClock;
  readonly asked: string[];
  ask(key: string, answer?: number): Promise<number>;
} {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const kept = new Remembered<number>({ keepMs: (answer) => answer, most, clock });
  const ask = (key: string, answer = 1000): Promise<number> =>
    kept.get(key, async () => {
      asked.push(key);
      if (answer < 0) throw new Error("no answer");
      return answer;
    });
  return { clock, asked, ask };
}

test("an answer counts as long as it says", async () => {
  const { clock, asked, ask } = remembered();
  await ask("a", 1000);
  await clock.advance(999);
  expect(await ask("a", 5)).toBe(1000);
  await clock.advance(1);
  expect(await ask("a", 5)).toBe(5);
  expect(asked).toEqual(["a", "a"]);
});

test("a failure is told to all who wait for it, and not kept", async () => {
  const { asked, ask } = remembered();
  const both = await Promise.allSettled([ask("a", -1), ask("a", 7)]);
  expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await ask("a", 7)).toBe(7);
  expect(asked).toEqual(["a", "a"]);
});

test("of too many, the oldest is forgotten", async () => {
  const { asked, ask } = remembered(2);
  for (const key of ["a", "b", "c", "b", "a"]) await ask(key);
  expect(asked).toEqual(["a", "b", "c", "a"]);
});
