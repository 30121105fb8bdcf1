import { expect, test } from "vitest";
import { scheduleError } from "./cron-schedule.ts";

test.each(["* * * * *", "*/5 0-23/2 1,15 * 1-5", "0/5 1-3,7 ? jan-mar/2 MON-fri", "@hourly", "@every 1h30m"])(
  "%s is a valid schedule",
  (schedule) => {
    expect(scheduleError(schedule)).toBeUndefined();
  },
);

/** The messages of kube-apiserver. */
test.each([
  ["foo", "expected exactly 5 fields, found 1: [foo]"],
  ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
  ["61 * * * *", "end of range (61) above maximum (59): 61"],
  ["5-2 * * * *", "beginning of range (5) beyond end of range (2): 5-2"],
  ["* */0 * * *", "step of range should be a positive number: */0"],
  ["* * a * *", 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
  ["@foo", "unrecognized descriptor: @foo"],
  ["@every 5x", 'failed to parse duration @every 5x: time: unknown unit "x" in duration "5x"'],
])("%s is invalid", (schedule, error) => {
  expect(scheduleError(schedule)).toBe(error);
});
