/** Formats of dates, times and durations. They need no clock: the length of each month is computed. */

/** Returns true for an existing day in the form `2006-01-02`. */
export function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return Number(day) >= 1 && Number(day) <= daysIn(Number(month), Number(year));
}

/** Returns the number of days of a month, or 0 if there is no such month. */
export function daysIn(month: number, year: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return daysOfMonths[month - 1] ?? 0;
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/**
 * Returns true for a date, `t` or `T`, and a time with its zone. Any character may separate seconds from their
 * fraction.
 */
export function isDateTime(text: string): boolean {
  const [date = "", time = ""] = text.toLowerCase().split("t");
  const [, hour, minute, second] = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  return isDate(date) && Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 59;
}

/** Returns true for a Go duration (`1h30m`, `-1.5s`), or a text with a number and the name of a unit (`2 weeks`). */
export function isDuration(text: string): boolean {
  return isGoDuration(text) || hasUnits(text);
}

function isGoDuration(text: string): boolean {
  return /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text);
}

/**
 * Searches for a number with a unit. The lookbehind starts a match only at the first digit, which keeps long numbers
 * linear.
 */
function hasUnits(text: string): boolean {
  const found = [...text.matchAll(/(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g)];
  if (found.some(([, count = ""]) => isTooBig(count))) return false;
  return found.some(([, , unit = ""]) => isUnit(unit.toLowerCase()));
}

function isTooBig(count: string): boolean {
  const digits = count.replace(/^0+/, "");
  return digits.length > 19 || BigInt(digits) >= 2n ** 63n;
}

/** Returns true for the short name of a unit, or a word that starts with a long one. */
function isUnit(name: string): boolean {
  return shortUnits.has(name) || longUnits.some((unit) => name.startsWith(unit));
}

const shortUnits: ReadonlySet<string> = new Set([
  "ns",
  "us",
  "µs",
  "ms",
  "s",
  "m",
  "h",
  "hr",
  "d",
  "w",
  "wk",
]);

const longUnits = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];
