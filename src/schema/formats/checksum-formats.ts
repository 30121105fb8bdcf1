/** Formats of digit sequences: ISBNs and card numbers with a check digit, and social security numbers. */

export function isIsbn10(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const values = Array.from(digits, (digit) => (digit === "X" ? 10 : Number(digit)));
  return sum(values.map((value, index) => value * (index + 1))) % 11 === 0;
}

export function isIsbn13(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!/^\d{13}$/.test(digits)) return false;
  return sum(Array.from(digits, (digit, index) => Number(digit) * (index % 2 === 0 ? 1 : 3))) % 10 === 0;
}

function withoutSeparators(text: string): string {
  return text.replace(/[\t\n\f\r -]+/g, "");
}

/** The number ranges of card companies, without separators. */
const cardNumbers =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

export function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D+/g, "");
  if (!cardNumbers.test(digits)) return false;
  return sum(Array.from(digits).reverse().map(luhnValue)) % 10 === 0;
}

/**
 * Returns the Luhn value of a digit counted from the right: every second digit is doubled, and a two-digit result
 * becomes its digit sum.
 */
function luhnValue(digit: string, index: number): number {
  const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
  return value > 9 ? value - 9 : value;
}

/** Returns true for nine digits in groups of three, two and four, each separated by a dash or a space. */
export function isSsn(text: string): boolean {
  return /^\d{3}[- ]\d{2}[- ]\d{4}$/.test(text);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
