/** An amount such as `"500m"` or `"1Gi"`. The server also accepts JSON numbers, and returns strings. */
export type Quantity = string;

/** A parsed quantity. */
export interface Amount {
  /** The amount in billionths, the smallest unit. Smaller fractions are rounded away from zero. */
  readonly nano: bigint;
  /** The format of the input, in which it is printed: `1M`, `1Mi`, `1e6`. */
  readonly format: "decimal" | "binary" | "exponent";
}

/**
 * Parses a quantity like Kubernetes, which also accepts `"+1"`, `".5"` and `"1."`.
 *
 * @throws {TypeError} for anything else
 */
export function parseQuantity(quantity: Quantity | number): Amount {
  const { amount } = parse(quantity);
  return amount;
}

/** Compares amounts: negative if `a` is less than `b`, 0 if they are equal in any notation, positive if it is more. */
export function compareQuantities(a: Quantity | number, b: Quantity | number): number {
  const difference = parseQuantity(a).nano - parseQuantity(b).nano;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Returns the sum in the format of `a`, or of `b` if `a` is zero. */
export function addQuantities(a: Quantity | number, b: Quantity | number): Quantity {
  const first = parseQuantity(a);
  const second = parseQuantity(b);
  return printQuantity({
    nano: first.nano + second.nano,
    format: first.nano === 0n ? second.format : first.format,
  });
}

/** Returns the quantity as the server returns it: `"1Gi"` for `"1024Mi"`, `"500m"` for `"0.5"`, `"1k"` for `1000`. */
export function canonicalQuantity(quantity: Quantity | number): Quantity {
  const { text, amount, unchanged } = parse(quantity);
  return unchanged ? text : printQuantity(amount);
}

/**
 * Formats an amount in the shortest form without a fraction, with a suffix of a power of 1000, or of 1024 in binary
 * format.
 */
export function printQuantity({ nano, format }: Amount): Quantity {
  if (nano === 0n) return "0";
  if (format === "binary" && nano % one === 0n && magnitude(nano) >= 1024n * one)
    return printBinary(nano / one);
  return printDecimal(nano, format === "exponent");
}

const one = 1_000_000_000n;
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const decimalSuffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];

function printBinary(value: bigint): string {
  let [rest, power] = [value, 0];
  while (rest % 1024n === 0n && power < binarySuffixes.length - 1) [rest, power] = [rest / 1024n, power + 1];
  return `${rest}${binarySuffixes[power]}`;
}

function printDecimal(nano: bigint, exponent: boolean): string {
  const last = exponent ? Number.POSITIVE_INFINITY : decimalSuffixes.length - 1;
  let [rest, power] = [nano, 0];
  while (rest % 1000n === 0n && power < last) [rest, power] = [rest / 1000n, power + 1];
  if (!exponent) return `${rest}${decimalSuffixes[power]}`;
  return power === 3 ? `${rest}` : `${rest}e${power * 3 - 9}`;
}

interface Parsed {
  readonly text: string;
  readonly amount: Amount;
  /** True if the server returns the text unchanged. */
  readonly unchanged: boolean;
}

/** Larger exponents are not realistic, and computing with them takes long. */
const maxExponent = 999;
/** The maximum of binary quantities: 2^63 - 1. */
const maxBinary = ((1n << 63n) - 1n) * one;

function parse(quantity: Quantity | number): Parsed {
  const text = String(quantity);
  const match = /^([-+]?)(\d*)(?:\.(\d*))?((?:[a-zA-Z]+[-+]?\d*|[-+]\d*)?)$/.exec(text);
  const suffix = match && /^[-+]?\.?\d/.test(text) ? readSuffix(match[4] ?? "") : undefined;
  if (!match || !suffix) {
    throw new TypeError(
      `expected a quantity like "1", "500m", "1.5Gi" or "1e3", got ${JSON.stringify(quantity)}`,
    );
  }
  const whole = match[2]?.replace(/^0+/, "") || "0";
  const parts: QuantityParts = { whole, fraction: match[3] ?? "", ...suffix };
  const { nano, format } = measure(parts);
  return {
    text,
    amount: { nano: match[1] === "-" ? -nano : nano, format },
    unchanged: isUnchanged(parts) || text === "0",
  };
}

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: Amount["format"];
}

/** The parts of a quantity. Digits have no sign and no leading zeros. */
interface QuantityParts extends Suffix {
  readonly whole: string;
  readonly fraction: string;
}

function readSuffix(suffix: string): Suffix | undefined {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal >= 0) return { base: 10, exponent: decimal * 3 - 9, format: "decimal" };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary >= 0) return { base: 2, exponent: binary * 10, format: "binary" };
  const exponent = /^[eE]([-+]?\d+)$/.exec(suffix)?.[1];
  return exponent === undefined || Number(exponent) > maxExponent
    ? undefined
    : { base: 10, exponent: Number(exponent), format: "exponent" };
}

function measure({ whole, fraction, base, exponent, format }: QuantityParts): Amount {
  const digits = BigInt(whole + fraction);
  const scale = 9 - fraction.length + (base === 10 ? exponent : 0);
  const nano = shift(base === 2 ? digits << BigInt(exponent) : digits, scale);
  if (format !== "binary") return { nano, format };
  if (nano > maxBinary) return { nano: maxBinary, format };
  return { nano, format: nano > 0n && nano < one ? "decimal" : format };
}

/** Multiplies by ten to the power of `scale`. Rounds a fraction up. */
function shift(digits: bigint, scale: number): bigint {
  if (scale >= 0) return digits * 10n ** BigInt(scale);
  if (-scale > `${digits}`.length) return digits === 0n ? 0n : 1n;
  const divisor = 10n ** BigInt(-scale);
  return (digits + divisor - 1n) / divisor;
}

/**
 * Returns true if the server keeps the text although a shorter one exists, such as `"1.500"` and `"010"`: the number
 * fits the server's fast path, its scale is a power of 1000 or 1024, and it has no further factor that the server
 * checks.
 */
function isUnchanged({ whole, fraction, base, exponent }: QuantityParts): boolean {
  const digits = whole + fraction;
  if (base === 2) {
    const fits = fraction === "" && whole.length + Math.trunc((exponent * 3) / 10) <= 14;
    return fits && BigInt(digits) % 8n !== 0n;
  }
  const scale = exponent - fraction.length;
  const fits = digits.length <= 18 && scale >= -9;
  return fits && scale % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
