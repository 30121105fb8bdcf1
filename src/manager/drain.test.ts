import { inspect } from "node:util";
import { expect, test } from "vitest";
import { VirtualClock } from "../base/index.ts";
import { drain } from "./drain.ts";

test("errors about work that does not end have no stack", async () => {
  const clock = new VirtualClock();
  const errors: string[] = [];
  const record = (error: unknown): void => void errors.push(inspect(error));
  const working = (): string[] => ["website default/docs", "website default/shop"];
  const over = drain(new Promise(() => {}), { drainMs: 5000, clock, cancel: record, working }).catch(record);
  await clock.advance(6000);
  await over;
  expect(errors).toEqual([
    "[Error: work did not end within 5000 ms]",
    "[Error: still running after cancellation: website default/docs, website default/shop; " +
      "pass its signal to everything that it awaits]",
  ]);
});
