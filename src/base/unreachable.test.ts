import { expect, test } from "vitest";
import { unreachable } from "./unreachable.ts";

test("a case that the compiler could not see is named", () => {
  const stray = { type: "unheard of" } as never;
  expect(() => unreachable(stray)).toThrow('expected every case to be handled, got {"type":"unheard of"}');
});
