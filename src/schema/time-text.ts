import { daysIn } from "./time-formats.ts";

/** A text that is no time, in Go's words. */
export class TimeError extends Error {
  override readonly name = "TimeError";
}

/**
 * A time as Kubernetes stores it: in UTC and whole seconds, `2006-01-02T15:04:05Z`. Nothing for the zero time.
 *
 * @throws {TimeError} if the text is no RFC 3339 time
 */
export function canonicalTime(text: string): string | undefined {
  const { seconds } = parse(text, "");
  return seconds === zeroTime ? undefined : `${instant(seconds)}Z`;
}

/**
 * A time with microseconds as Kubernetes stores it: in UTC, `2006-01-02T15:04:05.000000Z`. Nothing for the zero time.
 *
 * @throws {TimeError} if the text is no such time, with exactly six digits after the point
 */
export function canonicalMicroTime(text: string): string | undefined {
  const { seconds, fraction } = parse(text, ".000000");
  return seconds === zeroTime && /^\.0*$/.test(fraction) ? undefined : `${instant(seconds)}${fraction}Z`;
}

interface Parsed {
  /** Since 1970. */
  readonly seconds: number;
  /** As it was written, with its point. */
  readonly fraction: string;
}

function parse(text: string, fractionLayout: string): Parsed {
  const reader = new Reader(text, `2006-01-02T15:04:05${fractionLayout}Z07:00`);
  const year = reader.number("2006", /^\d{4}/);
  reader.literal("-");
  const month = reader.number("01", /^\d\d/, { name: "month", least: 1, most: 12 });
  reader.literal("-");
  const day = reader.number("02", /^\d\d/);
  reader.literal("T");
  const hour = reader.number("15", /^\d\d?/, { name: "hour", least: 0, most: 23 });
  reader.literal(":");
  const minute = reader.number("04", /^\d\d/, { name: "minute", least: 0, most: 59 });
  reader.literal(":");
  const second = reader.number("05", /^\d\d/, { name: "second", least: 0, most: 59 });
  const fraction = fractionLayout === "" ? reader.optional(/^[.,]\d+/) : reader.fraction(fractionLayout);
  const offset = reader.zone();
  reader.end();
  if (day < 1 || day > daysIn(month, year)) reader.fail(": day out of range");
  const time = hour * 3600 + minute * 60 + second;
  return { seconds: daysSince1970(year, month, day) * 86_400 + time - offset, fraction };
}

interface Range {
  readonly name: string;
  readonly least: number;
  readonly most: number;
}

/** Reads a text from left to right, and says where it stopped being a time. */
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
    if (range && (value < range.least || value > range.most)) this.fail(`: ${range.name} out of range`);
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

  /** As many digits as the layout has. */
  fraction(layout: string): string {
    const found = this.optional(new RegExp(`^[.,]\\d{${layout.length - 1}}`));
    if (found === "") this.#cannotParse(layout);
    return `.${found.slice(1)}`;
  }

  /** `Z`, or an offset like `+02:00`. In seconds. */
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

/** Quoted as Go's time package does it: every byte that is no printable ASCII by its number. */
function quoted(text: string): string {
  const bytes = Array.from(Buffer.from(text), (byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte >= 0x20 && byte < 0x7f
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`;
  });
  return `"${bytes.join("")}"`;
}

/** The first second of the year one. */
const zeroTime = daysSince1970(1, 1, 1) * 86_400;

/** Counted in years that begin in March, so that the leap day is the last. */
function daysSince1970(year: number, month: number, day: number): number {
  const years = month > 2 ? year : year - 1;
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  const days = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return years * 365 + leapDays + days - 719_468;
}

/** Seconds since 1970 as a date and time, without a zone. */
function instant(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const { year, month, day } = dateOf(days);
  const time = seconds - days * 86_400;
  const clock = [Math.floor(time / 3600), Math.floor(time / 60) % 60, time % 60].map(two).join(":");
  return `${yearText(year)}-${two(month)}-${two(day)}T${clock}`;
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

function two(value: number): string {
  return String(value).padStart(2, "0");
}
