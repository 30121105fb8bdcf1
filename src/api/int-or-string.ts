/** A number, or text that stands for one, like a port's name or `"25%"`. */
export type IntOrString = number | string;

export interface PercentOptions {
  /** Where a percentage does not come out whole. */
  readonly round: "up" | "down";
}

/**
 * The number that `value` stands for: itself, or for `"25%"` that share of `total`. Throws for any other text, as the
 * server does.
 */
export function resolveIntOrPercent(value: IntOrString, total: number, { round }: PercentOptions): number {
  if (typeof value === "number") return value;
  const percent = /^([-+]?\d+)%$/.exec(value)?.[1];
  if (percent === undefined) {
    throw new TypeError(`expected a number or a percentage like "25%", got ${JSON.stringify(value)}`);
  }
  const share = (Number(percent) * total) / 100;
  return round === "up" ? Math.ceil(share) : Math.floor(share);
}
