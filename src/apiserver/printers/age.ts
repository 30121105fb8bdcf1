/** Returns the age of a time as tables show it: `95s`, `3m20s`, `30h`, `2y30d`. A missing time is `<unknown>`. */
export function ageOf(time: string | null | undefined, now: number): string {
  if (!time) return "<unknown>";
  const timestamp = parseTime(time);
  return timestamp === undefined ? "<invalid>" : humanDuration(now - timestamp);
}

/** Parses an RFC 3339 time to milliseconds since 1970. Returns `undefined` for other text. */
export function parseTime(text: string): number | undefined {
  if (!rfc3339.test(text)) return undefined;
  // biome-ignore lint/style/noRestrictedGlobals: reads a text, not the clock
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Formats a duration with its one or two largest units. A time more than a second in the future is `<invalid>`. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return "<invalid>";
  const [, unit, smaller] = steps.find(([limit]) => seconds < limit) ?? longest;
  const rest = smaller ? Math.floor((seconds % lengths[unit]) / lengths[smaller]) : 0;
  const whole = `${Math.max(Math.floor(seconds / lengths[unit]), 0)}${unit}`;
  return rest > 0 ? `${whole}${rest}${smaller}` : whole;
}

/** The length of each unit in seconds. */
const lengths = { s: 1, m: 60, h: 3600, d: 86_400, y: 31_536_000 } as const;

type Unit = keyof typeof lengths;

/** Durations below `limit` seconds are shown in `unit`, with the remainder in `smaller` if it is set. */
type Step = readonly [limit: number, unit: Unit, smaller?: Unit];

const steps: readonly Step[] = [
  [2 * lengths.m, "s"],
  [10 * lengths.m, "m", "s"],
  [3 * lengths.h, "m"],
  [8 * lengths.h, "h", "m"],
  [48 * lengths.h, "h"],
  [8 * lengths.d, "d", "h"],
  [2 * lengths.y, "d"],
  [8 * lengths.y, "y", "d"],
];

const longest: Step = [Number.POSITIVE_INFINITY, "y"];
