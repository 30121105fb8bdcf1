import { expect, test } from "vitest";
import { deferred } from "./deferred.ts";

test("the first call settles the promise, and later calls have no effect", async () => {
  const kept = deferred<number>();
  kept.resolve(1);
  kept.resolve(2);
  kept.reject(new Error("late"));
  expect(await kept.promise).toBe(1);
  const failed = deferred();
  failed.reject(new Error("first"));
  failed.resolve();
  await expect(failed.promise).rejects.toThrow("first");
});
