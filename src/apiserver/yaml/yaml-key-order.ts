/** Compares keys in the order of Go's YAML writer: numbers in keys by value, other characters before letters. */
export function compareYamlKeys(one: string, other: string): number {
  const at = firstDifference(one, other);
  const [a, b] = [one.codePointAt(at), other.codePointAt(at)];
  if (a === undefined || b === undefined) return one.length - other.length;
  if (isLetter(a) !== isLetter(b)) return isLetter(a) ? 1 : -1;
  if (isLetter(a) || !(isDigit(a) || isDigit(b))) return a - b;
  const lead = followsNumber(one, at) ? "1" : "";
  return compareNumbers(lead + digitsAt(one, at), lead + digitsAt(other, at)) || a - b;
}

/** Returns the index of the first character in which two keys differ, or the length of the shorter one. */
function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  const before = one.charCodeAt(at - 1);
  return before >= 0xd800 && before < 0xdc00 ? at - 1 : at; // a low surrogate belongs to the unit before it
}

function isLetter(code: number): boolean {
  if (code > 0x7f) return /\p{L}/u.test(String.fromCodePoint(code));
  const lowerCase = code | 0x20;
  return lowerCase >= 0x61 && lowerCase <= 0x7a;
}

/** Returns true if the digits before an index form a number that further zeros would continue. */
function followsNumber(key: string, at: number): boolean {
  let start = at;
  while (isDigit(key.charCodeAt(start - 1))) start -= 1;
  return /[1-9]/.test(key.slice(start, at));
}

function digitsAt(key: string, at: number): string {
  let end = at;
  while (isDigit(key.charCodeAt(end))) end += 1;
  return key.slice(at, end);
}

/** Returns true for a digit. The code is `NaN` before the start and after the end. */
function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function compareNumbers(one: string, other: string): number {
  return Number(one) - Number(other) || one.length - other.length;
}
