/** A number, or a string such as the name of a port or `"25%"`. */
export type IntOrString = number | string;

export interface PercentOptions {
  /** The rounding of a percentage that is not an integer. */
  readonly round: "up" | "down";
}

/**
 * Resolves `value` to a number: a number is itself, and `"25%"` is that share of `total`.
 *
 * @throws {TypeError} for any other string, like the server
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
