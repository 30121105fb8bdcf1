/** Go's order of keys in YAML: numbers in keys by their value, and what is no letter before letters. */
export function compareYamlKeys(one: string, other: string): number {
  const [left, right] = [Array.from(one), Array.from(other)];
  const at = left.findIndex((character, index) => character !== right[index]);
  const [a, b] = [left[at], right[at]];
  if (a === undefined || b === undefined) return left.length - right.length;
  if (isLetter(a) !== isLetter(b)) return isLetter(a) ? 1 : -1;
  if (isLetter(a)) return a < b ? -1 : 1;
  const lead = followsNumber(left.slice(0, at)) ? "1" : "";
  return compareNumbers(lead + digitsAt(left, at), lead + digitsAt(right, at)) || (a < b ? -1 : 1);
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

/** Whether a number was begun that zeros would go on with. */
function followsNumber(before: readonly string[]): boolean {
  const digits = before.slice(before.findLastIndex((character) => !/\d/.test(character)) + 1);
  return digits.some((digit) => digit !== "0");
}

function digitsAt(characters: readonly string[], at: number): string {
  return /^\d*/.exec(characters.slice(at).join(""))?.[0] ?? "";
}

function compareNumbers(one: string, other: string): number {
  return Number(one) - Number(other) || one.length - other.length;
}
