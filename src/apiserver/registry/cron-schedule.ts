/** Returns the error in a cron schedule, or `undefined`. The messages are those of the library that Kubernetes uses. */
export function scheduleError(schedule: string): string | undefined {
  if (schedule.startsWith("@")) return descriptorError(schedule);
  const fields = schedule.split(/\s+/).filter((field) => field !== "");
  if (fields.length !== 5) return `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
  for (const [index, field] of fields.entries()) {
    const error = fieldError(field, bounds[index] ?? { min: 0, max: 0, names: [] });
    if (error !== undefined) return error;
  }
  return undefined;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** The names of the numbers from `min` on. */
  readonly names: readonly string[];
}

const bounds: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  {
    min: 1,
    max: 12,
    names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  },
  { min: 0, max: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

const descriptors: ReadonlySet<string> = new Set([
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
]);

function descriptorError(schedule: string): string | undefined {
  if (descriptors.has(schedule)) return undefined;
  if (!schedule.startsWith("@every ")) return `unrecognized descriptor: ${schedule}`;
  const error = durationError(schedule.slice("@every ".length));
  return error === undefined ? undefined : `failed to parse duration ${schedule}: ${error}`;
}

/** Returns the error in a Go duration such as `1h30m`. */
function durationError(text: string): string | undefined {
  if (text === "0" || /^[+-]?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  const [, unit] = /^[+-]?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))*\d+(?:\.\d*)?([^\d.]*)/.exec(text) ?? [];
  if (unit === undefined) return `time: invalid duration "${text}"`;
  if (unit === "") return `time: missing unit in duration "${text}"`;
  return `time: unknown unit "${unit}" in duration "${text}"`;
}

function fieldError(field: string, bound: Bounds): string | undefined {
  for (const range of field.split(",").filter((one) => one !== "")) {
    const error = rangeError(range, bound);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** Returns the error in a range: `1`, `1-5` or `*`, with or without a step `/2`. */
function rangeError(range: string, bound: Bounds): string | undefined {
  const [span = "", step, ...more] = range.split("/");
  const [low = "", high, ...others] = span.split("-");
  const start = isAny(low) ? bound.min : numberOf(low, bound);
  if (typeof start === "string") return start;
  if (others.length > 0) return `too many hyphens: ${range}`;
  const end = endOf({ low, high, step, start }, bound);
  if (typeof end === "string") return end;
  if (more.length > 0) return `too many slashes: ${range}`;
  const width = step === undefined ? 1 : numberOf(step, { min: 0, max: 0, names: [] });
  if (typeof width === "string") return width;
  return boundError({ start, end, width }, bound, range);
}

interface Span {
  readonly low: string;
  readonly high: string | undefined;
  readonly step: string | undefined;
  readonly start: number;
}

/** Returns the end of a range. A single number with a step extends to the maximum. */
function endOf({ low, high, step, start }: Span, bound: Bounds): number | string {
  if (isAny(low)) return bound.max;
  if (high !== undefined) return numberOf(high, bound);
  return step === undefined ? start : bound.max;
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly width: number;
}

function boundError({ start, end, width }: Range, { min, max }: Bounds, range: string): string | undefined {
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${range}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return width === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

function isAny(text: string): boolean {
  return text === "*" || text === "?";
}

/** Returns the number, or the error message if it is invalid. */
function numberOf(text: string, { min, names }: Bounds): number | string {
  const nameIndex = names.indexOf(text.toLowerCase());
  if (nameIndex >= 0) return min + nameIndex;
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  }
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}
