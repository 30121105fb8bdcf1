import { expect } from "vitest";
import { formatTest } from "./formats.ts";

export interface Examples {
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
}

/** Expects that the format matches all valid and no invalid strings. */
export function expectMatches(format: string, { valid, invalid }: Examples): void {
  const matches = formatTest(format);
  expect(valid.filter((text) => !matches?.(text))).toEqual([]);
  expect(invalid.filter((text) => matches?.(text))).toEqual([]);
}
