/** A duration in Go's notation: `"1h30m"`, `"500ms"`. */
export type Duration = string;

const unitsMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/**
 * Returns a duration in milliseconds.
 *
 * @throws {TypeError} for a string that is not a duration
 */
export function parseDuration(duration: Duration): number {
  const [, sign = "", amounts = ""] =
    /^([-+]?)((?:[0-9.]+(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(duration) ?? [];
  if (amounts === "") throw notADuration(duration);
  let sumMs = 0;
  for (const [, amount = "", unit = ""] of amounts.matchAll(/([0-9.]+)([a-zµμ]+)/g)) {
    if (!/^(?:\d+\.?\d*|\.\d+)$/.test(amount)) throw notADuration(duration);
    sumMs += Number(amount) * (unitsMs[unit.replace("μ", "µ")] ?? 0);
  }
  return sign === "-" ? -sumMs : sumMs;
}

function notADuration(text: string): TypeError {
  return new TypeError(`expected a duration like "1h30m", got ${JSON.stringify(text)}`);
}
