import fc from "fast-check";
import { expect, test } from "vitest";
import { microTimestamp, timestamp, timestampMs } from "./timestamp.ts";

const noonMs = Date.UTC(2026, 4, 7, 12, 0, 0);

test("a timestamp has whole seconds, rounded down", () => {
  expect(timestamp(noonMs)).toBe("2026-05-07T12:00:00Z");
  expect(timestamp(noonMs + 999.9)).toBe("2026-05-07T12:00:00Z");
});

test("a timestamp is read back as milliseconds", () => {
  expect(timestampMs(timestamp(noonMs))).toBe(noonMs);
  expect(timestampMs("2026-05-07T12:00:00.000007Z")).toBe(noonMs);
});

test("a micro timestamp has six decimal digits", () => {
  expect(microTimestamp(noonMs)).toBe("2026-05-07T12:00:00.000000Z");
  expect(microTimestamp(noonMs + 7)).toBe("2026-05-07T12:00:00.007000Z");
  expect(microTimestamp(noonMs + 7.012)).toBe("2026-05-07T12:00:00.007012Z");
});

test("a micro timestamp that rounds up carries into the second", () => {
  expect(microTimestamp(noonMs - 0.0001)).toBe("2026-05-07T12:00:00.000000Z");
});

test("a time in whole microseconds round-trips", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000_000_000 }), (micros) => {
      const text = microTimestamp(micros / 1000);
      expect(Date.parse(`${text.slice(0, 23)}Z`) * 1000 + Number(text.slice(23, 26))).toBe(micros);
    }),
  );
});
