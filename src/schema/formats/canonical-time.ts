import { daysIn } from "./time-formats.ts";

/** Thrown for a string that is not a time. The message is Go's. */
export class TimeError extends Error {
  override readonly name = "TimeError";
}

/**
 * Returns a time in the form that Kubernetes stores: UTC and whole seconds, `2006-01-02T15:04:05Z`. Returns `undefined`
 * for the zero time.
 *
 * @throws {TimeError} if the string is not an RFC 3339 time
 */
export function canonicalTime(text: string): string | undefined {
  const { seconds } = parse(text, "");
  return seconds === zeroTime ? undefined : `${instant(seconds)}Z`;
}

/**
 * Returns a time in the form that Kubernetes stores a `MicroTime`: UTC, `2006-01-02T15:04:05.000000Z`. Returns
 * `undefined` for the zero time.
 *
 * @throws {TimeError} if the string is not a time with exactly six fractional digits
 */
export function canonicalMicroTime(text: string): string | undefined {
  const { seconds, fraction } = parse(text, ".000000");
  return seconds === zeroTime && /^\.0*$/.test(fraction) ? undefined : `${instant(seconds)}${fraction}Z`;
}

interface Parsed {
  /** Seconds since 1970. */
  readonly seconds: number;
  /** The fraction as it was written, with its point. */
  readonly fraction: string;
}

function parse(text: string, fractionLayout: string): Parsed {
  const reader = new Reader(text, `2006-01-02T15:04:05${fractionLayout}Z07:00`);
  const year = reader.number("2006", /^\d{4}/);
  reader.literal("-");
  const month = reader.number("01", /^\d\d/, { name: "month", min: 1, max: 12 });
  reader.literal("-");
  const day = reader.number("02", /^\d\d/);
  reader.literal("T");
  const hour = reader.number("15", /^\d\d?/, { name: "hour", min: 0, max: 23 });
  reader.literal(":");
  const minute = reader.number("04", /^\d\d/, { name: "minute", min: 0, max: 59 });
  reader.literal(":");
  const second = reader.number("05", /^\d\d/, { name: "second", min: 0, max: 59 });
  const fraction = fractionLayout === "" ? reader.optional(/^[.,]\d+/) : reader.fraction(fractionLayout);
  const offset = reader.zone();
  reader.end();
  if (day < 1 || day > daysIn(month, year)) reader.fail(": day out of range");
  const time = hour * 3600 + minute * 60 + second;
  return { seconds: daysSince1970(year, month, day) * 86_400 + time - offset, fraction };
}

interface Range {
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

/** Reads a time from left to right, and throws Go's error at the first mismatch. */
class Reader {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  number(element: string, pattern: RegExp, range?: Range): number {
    const digits = this.optional(pattern);
    if (digits === "") this.#cannotParse(element);
    const value = Number(digits);
    if (range && (value < range.min || value > range.max)) this.fail(`: ${range.name} out of range`);
    return value;
  }

  literal(text: string): void {
    if (!this.#rest.startsWith(text)) this.#cannotParse(text);
    this.#rest = this.#rest.slice(text.length);
  }

  optional(pattern: RegExp): string {
    const found = pattern.exec(this.#rest)?.[0] ?? "";
    this.#rest = this.#rest.slice(found.length);
    return found;
  }

  /** Reads exactly as many fractional digits as the layout has. */
  fraction(layout: string): string {
    const found = this.optional(new RegExp(`^[.,]\\d{${layout.length - 1}}`));
    if (found === "") this.#cannotParse(layout);
    return `.${found.slice(1)}`;
  }

  /** Reads `Z`, or an offset such as `+02:00`, and returns it in seconds. */
  zone(): number {
    if (this.#rest.startsWith("Z")) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const [found = "", sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(this.#rest) ?? [];
    if (found === "") this.#cannotParse("Z07:00");
    if (Number(hours) > 24) this.fail(": time zone offset hour out of range");
    if (Number(minutes) > 60) this.fail(": time zone offset minute out of range");
    this.#rest = this.#rest.slice(found.length);
    return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
  }

  end(): void {
    if (this.#rest !== "") this.fail(`: extra text: ${quoted(this.#rest)}`);
  }

  fail(problem: string): never {
    throw new TimeError(`parsing time ${quoted(this.#text)}${problem}`);
  }

  #cannotParse(element: string): never {
    this.fail(` as ${quoted(this.#layout)}: cannot parse ${quoted(this.#rest)} as ${quoted(element)}`);
  }
}

/** Quotes like Go's time package: every byte that is not printable ASCII becomes `\xNN`. */
function quoted(text: string): string {
  const bytes = Array.from(Buffer.from(text), (byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte >= 0x20 && byte < 0x7f
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`;
  });
  return `"${bytes.join("")}"`;
}

/** The zero time of Go: the first second of year 1. */
const zeroTime = daysSince1970(1, 1, 1) * 86_400;

/** Counts in years that begin in March, so that the leap day is the last day. */
function daysSince1970(year: number, month: number, day: number): number {
  const years = month > 2 ? year : year - 1;
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  const days = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return years * 365 + leapDays + days - 719_468;
}

/** Formats seconds since 1970 as a date and time without a zone. */
function instant(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const { year, month, day } = dateOf(days);
  const time = seconds - days * 86_400;
  const clock = [Math.floor(time / 3600), Math.floor(time / 60) % 60, time % 60].map(twoDigits).join(":");
  return `${yearText(year)}-${twoDigits(month)}-${twoDigits(day)}T${clock}`;
}

function dateOf(days: number): { year: number; month: number; day: number } {
  let year = Math.floor(days / 365.2425) + 1970;
  while (daysSince1970(year, 1, 1) > days) year--;
  while (daysSince1970(year + 1, 1, 1) <= days) year++;
  let month = 12;
  while (daysSince1970(year, month, 1) > days) month--;
  return { year, month, day: days - daysSince1970(year, month, 1) + 1 };
}

function yearText(year: number): string {
  return year < 0 ? `-${String(-year).padStart(4, "0")}` : String(year).padStart(4, "0");
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
