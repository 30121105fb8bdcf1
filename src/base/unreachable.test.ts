import { expect, test } from "vitest";
import { unreachable } from "./unreachable.ts";

test("the error contains the unhandled value", () => {
  const stray = { type: "unheard of" } as never;
  expect(() => unreachable(stray)).toThrow('expected every case to be handled, got {"type":"unheard of"}');
});
