/** What is wrong with a schedule as cron writes them, or nothing. In the words of the library that Kubernetes reads it by. */
export function scheduleFault(schedule: string): string | undefined {
  if (schedule.startsWith("@")) return descriptorFault(schedule);
  const fields = schedule.split(/\s+/).filter((field) => field !== "");
  if (fields.length !== 5) return `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
  for (const [at, field] of fields.entries()) {
    const fault = fieldFault(field, bounds[at] ?? { least: 0, most: 0, names: [] });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

interface Bounds {
  readonly least: number;
  readonly most: number;
  /** For the numbers from `least` on. */
  readonly names: readonly string[];
}

const bounds: readonly Bounds[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  {
    least: 1,
    most: 12,
    names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  },
  { least: 0, most: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
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

function descriptorFault(schedule: string): string | undefined {
  if (descriptors.has(schedule)) return undefined;
  if (!schedule.startsWith("@every ")) return `unrecognized descriptor: ${schedule}`;
  const fault = durationFault(schedule.slice("@every ".length));
  return fault === undefined ? undefined : `failed to parse duration ${schedule}: ${fault}`;
}

/** A duration as Go writes them: `1h30m`. */
function durationFault(text: string): string | undefined {
  if (text === "0" || /^[+-]?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  const [, unit] = /^[+-]?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))*\d+(?:\.\d*)?([^\d.]*)/.exec(text) ?? [];
  if (unit === undefined) return `time: invalid duration "${text}"`;
  if (unit === "") return `time: missing unit in duration "${text}"`;
  return `time: unknown unit "${unit}" in duration "${text}"`;
}

function fieldFault(field: string, bound: Bounds): string | undefined {
  for (const range of field.split(",").filter((one) => one !== "")) {
    const fault = rangeFault(range, bound);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** `1`, `1-5`, `*`, each with `/2` or without. */
function rangeFault(range: string, bound: Bounds): string | undefined {
  const [span = "", step, ...more] = range.split("/");
  const [low = "", high, ...others] = span.split("-");
  const start = isAny(low) ? bound.least : numberOf(low, bound);
  if (typeof start === "string") return start;
  if (others.length > 0) return `too many hyphens: ${range}`;
  const end = endOf({ low, high, step, start }, bound);
  if (typeof end === "string") return end;
  if (more.length > 0) return `too many slashes: ${range}`;
  const width = step === undefined ? 1 : numberOf(step, { least: 0, most: 0, names: [] });
  if (typeof width === "string") return width;
  return boundFault({ start, end, width }, bound, range);
}

interface Span {
  readonly low: string;
  readonly high: string | undefined;
  readonly step: string | undefined;
  readonly start: number;
}

/** A number with a step goes on to the end. */
function endOf({ low, high, step, start }: Span, bound: Bounds): number | string {
  if (isAny(low)) return bound.most;
  if (high !== undefined) return numberOf(high, bound);
  return step === undefined ? start : bound.most;
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly width: number;
}

function boundFault(
  { start, end, width }: Range,
  { least, most }: Bounds,
  range: string,
): string | undefined {
  if (start < least) return `beginning of range (${start}) below minimum (${least}): ${range}`;
  if (end > most) return `end of range (${end}) above maximum (${most}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return width === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

function isAny(text: string): boolean {
  return text === "*" || text === "?";
}

/** The number, or what is wrong with it. */
function numberOf(text: string, { least, names }: Bounds): number | string {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return least + named;
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  }
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}
