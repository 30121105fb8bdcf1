import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalMicroTime, canonicalTime } from "./canonical-time.ts";

/** Times as written, and as kube-apiserver stores them. */
const times: ReadonlyArray<readonly [string, string | undefined]> = [
  ["2020-01-01T00:00:00.123Z", "2020-01-01T00:00:00Z"],
  ["2020-01-01T00:00:00.999999999Z", "2020-01-01T00:00:00Z"],
  ["2020-01-01T00:00:00,5+02:00", "2019-12-31T22:00:00Z"],
  ["2020-01-01T0:00:00Z", "2020-01-01T00:00:00Z"],
  ["0001-01-01T00:00:00Z", undefined],
  ["2020-12-31T23:59:59-01:00", "2021-01-01T00:59:59Z"],
  ["2020-02-29T00:00:00+00:01", "2020-02-28T23:59:00Z"],
  ["9999-12-31T23:59:59-23:00", "10000-01-01T22:59:59Z"],
  ["0000-01-01T00:00:00+01:00", "-0001-12-31T23:00:00Z"],
  ["2020-01-01T00:00:00+24:00", "2019-12-31T00:00:00Z"],
  ["2020-01-01T00:00:00+23:59", "2019-12-31T00:01:00Z"],
  ["2020-01-01T00:00:00.1234567891Z", "2020-01-01T00:00:00Z"],
];

test("a time is stored in UTC and whole seconds, and the zero time is dropped", () => {
  expect(times.map(([text]) => [text, canonicalTime(text)])).toEqual(times);
});

test("a time is the same instant as in JavaScript", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date("0002-01-01"), max: new Date("9999-01-01"), noInvalidDate: true }),
      (date) => {
        expect(canonicalTime(date.toISOString())).toBe(date.toISOString().replace(/\.\d+Z$/, "Z"));
      },
    ),
  );
});

/** Strings that are not times, with Go's messages. */
const refused: ReadonlyArray<readonly [string, string]> = [
  ["2020", 'parsing time "2020" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "-"'],
  ["2020-13-01T00:00:00Z", 'parsing time "2020-13-01T00:00:00Z": month out of range'],
  ["2020-01-01T00:00:00Zx", 'parsing time "2020-01-01T00:00:00Zx": extra text: "x"'],
  [
    "20é",
    'parsing time "20\\xc3\\xa9" as "2006-01-02T15:04:05Z07:00": cannot parse "20\\xc3\\xa9" as "2006"',
  ],
  [
    "2020-01-01T00:00:00+2:00",
    'parsing time "2020-01-01T00:00:00+2:00" as "2006-01-02T15:04:05Z07:00": cannot parse "+2:00" as "Z07:00"',
  ],
  [
    "2020-01-01T00:00:00+aa:00",
    'parsing time "2020-01-01T00:00:00+aa:00" as "2006-01-02T15:04:05Z07:00": cannot parse "+aa:00" as "Z07:00"',
  ],
  ["2020-1", 'parsing time "2020-1" as "2006-01-02T15:04:05Z07:00": cannot parse "1" as "01"'],
  ["202a", 'parsing time "202a" as "2006-01-02T15:04:05Z07:00": cannot parse "202a" as "2006"'],
  [
    "2020-01-01T00:00:0",
    'parsing time "2020-01-01T00:00:0" as "2006-01-02T15:04:05Z07:00": cannot parse "0" as "05"',
  ],
  [
    "2020-01-01T00:00:00.12a4Z",
    'parsing time "2020-01-01T00:00:00.12a4Z" as "2006-01-02T15:04:05Z07:00": cannot parse "a4Z" as "Z07:00"',
  ],
  [
    "-020-01-01T00:00:00Z",
    'parsing time "-020-01-01T00:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse "-020-01-01T00:00:00Z" as "2006"',
  ],
  ["2020-", 'parsing time "2020-" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "01"'],
  [
    "2020-1-01T00:00:00Z",
    'parsing time "2020-1-01T00:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse "1-01T00:00:00Z" as "01"',
  ],
  ["2020-02-30T00:00:00Z", 'parsing time "2020-02-30T00:00:00Z": day out of range'],
  [
    "2020-01-01 00:00:00Z",
    'parsing time "2020-01-01 00:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse " 00:00:00Z" as "T"',
  ],
  ["2020-01-01T24:00:00Z", 'parsing time "2020-01-01T24:00:00Z": hour out of range'],
  ["2020-01-01T00:60:00Z", 'parsing time "2020-01-01T00:60:00Z": minute out of range'],
  ["2020-01-01T00:00:60Z", 'parsing time "2020-01-01T00:00:60Z": second out of range'],
  [
    "2020-01-01T00:00:00",
    'parsing time "2020-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
  ],
  [
    "2020-01-01T00:00:00.Z",
    'parsing time "2020-01-01T00:00:00.Z" as "2006-01-02T15:04:05Z07:00": cannot parse ".Z" as "Z07:00"',
  ],
  [
    "2020-01-01T00:00:00+0200",
    'parsing time "2020-01-01T00:00:00+0200" as "2006-01-02T15:04:05Z07:00": cannot parse "+0200" as "Z07:00"',
  ],
  [
    "2020-01-01T00:00:00+25:00",
    'parsing time "2020-01-01T00:00:00+25:00": time zone offset hour out of range',
  ],
  [
    "2020-01-01T00:00:00+02:61",
    'parsing time "2020-01-01T00:00:00+02:61": time zone offset minute out of range',
  ],
  ["", 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
  ["2020-00-01T00:00:00Z", 'parsing time "2020-00-01T00:00:00Z": month out of range'],
  ["2020-01-00T00:00:00Z", 'parsing time "2020-01-00T00:00:00Z": day out of range'],
];

test.each(refused)("%j is not a time", (text, message) => {
  expect(() => canonicalTime(text)).toThrow(new Error(message).message);
});

test("a time with microseconds has exactly six fractional digits", () => {
  expect(canonicalMicroTime("2026-01-01T00:00:00.123456+02:00")).toBe("2025-12-31T22:00:00.123456Z");
  expect(canonicalMicroTime("0001-01-01T00:00:00.000000Z")).toBeUndefined();
  expect(() => canonicalMicroTime("2026-01-01T00:00:00.123Z")).toThrow(
    'parsing time "2026-01-01T00:00:00.123Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse ".123Z" as ".000000"',
  );
  expect(() => canonicalMicroTime("2026-01-01T00:00:00.123456789Z")).toThrow(
    'cannot parse "789Z" as "Z07:00"',
  );
});
