/**
 * Returns true if a range of an `engines` field contains a version: `allows("^20.19.0 || >=22.12.0", "20.19")`.
 *
 * Supports `>=`, `>`, `<`, `<=`, `^`, `~`, bare versions with missing or `x` parts, several of them separated by
 * spaces, and `||`. Throws for any other form.
 */
export function allows(range: string, version: string): boolean {
  return range.split("||").some((part) => comparators(part).every((each) => holds(each, numbersOf(version))));
}

interface Comparator {
  readonly operator: string;
  /** The given parts of the version: 1 to 3 numbers, none for `*`. */
  readonly bound: readonly number[];
}

function comparators(text: string): Comparator[] {
  const parts = text
    .replace(/([<>=^~])\s+/g, "$1")
    .trim()
    .split(/\s+/);
  return parts.map((part) => {
    const found = /^(>=|<=|>|<|=|\^|~|)v?(\d+(?:\.(?:\d+|x))*|\*|)$/.exec(part);
    if (!found) throw new Error(`expected a range of versions, got "${text}"`);
    return { operator: found[1] ?? "", bound: numbersOf(found[2] ?? "") };
  });
}

function numbersOf(version: string): number[] {
  return version
    .split(".")
    .map(Number)
    .filter(Number.isInteger)
    .slice(0, version === "" ? 0 : 3);
}

function holds({ operator, bound }: Comparator, version: readonly number[]): boolean {
  const order = compare(version, bound);
  if (operator === ">=") return order >= 0;
  if (operator === ">") return order > 0;
  if (operator === "<") return order < 0;
  if (operator === "<=") return order <= 0;
  const fixed = operator === "^" ? 1 : operator === "~" ? 2 : bound.length;
  return order >= 0 && compare(version.slice(0, fixed), bound.slice(0, fixed)) === 0;
}

/** Missing parts count as 0. */
function compare(a: readonly number[], b: readonly number[]): number {
  for (const index of [0, 1, 2]) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
