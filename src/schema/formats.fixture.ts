import { expect } from "vitest";
import { formatTest } from "./formats.ts";

export interface Texts {
  readonly are: readonly string[];
  readonly areNot: readonly string[];
}

/** Expects that all texts are told to be what they are. */
export function expectTold(format: string, { are, areNot }: Texts): void {
  const isOne = formatTest(format);
  expect(are.filter((text) => !isOne?.(text))).toEqual([]);
  expect(areNot.filter((text) => isOne?.(text))).toEqual([]);
}
