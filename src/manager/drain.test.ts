import { inspect } from "node:util";
import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import { drain } from "./drain.ts";

test("what does not end is told in a line, without a stack that would show nothing of it", async () => {
  const clock = new VirtualClock();
  const working = (): string[] => ["website default/docs", "website default/shop"];
  const over = drain(new Promise(() => {}), { drainMs: 5000, clock, cancel() {}, working });
  const told = over.catch((error: unknown) => inspect(error));
  await clock.advance(6000);
  expect(await told).toBe(
    "[Error: expected work to end when told to, got website default/docs, website default/shop still running; " +
      "hand the signal it is given to whatever it waits for]",
  );
});
