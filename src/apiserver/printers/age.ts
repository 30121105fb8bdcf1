/** How long ago a time was, as tables say it: `95s`, `3m20s`, `30h`, `2y30d`. A missing time is `<unknown>`. */
export function ageOf(time: string | null | undefined, now: number): string {
  if (!time) return "<unknown>";
  const then = parseTime(time);
  return then === undefined ? "<invalid>" : humanDuration(now - then);
}

/** Milliseconds since 1970 of an RFC 3339 time; nothing for other text. */
export function parseTime(text: string): number | undefined {
  if (!rfc3339.test(text)) return undefined;
  // biome-ignore lint/style/noRestrictedGlobals: reads a text, not the clock
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** A duration in the one or two units that matter. What is ahead by more than a second is `<invalid>`. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return "<invalid>";
  const [, unit, smaller] = steps.find(([limit]) => seconds < limit) ?? longest;
  const rest = smaller ? Math.floor((seconds % lengths[unit]) / lengths[smaller]) : 0;
  const whole = `${Math.max(Math.floor(seconds / lengths[unit]), 0)}${unit}`;
  return rest > 0 ? `${whole}${rest}${smaller}` : whole;
}

/** In seconds. */
const lengths = { s: 1, m: 60, h: 3600, d: 86_400, y: 31_536_000 } as const;

type Unit = keyof typeof lengths;

/** Durations below so many seconds are told in the unit, and what is left in a smaller one, if any. */
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
