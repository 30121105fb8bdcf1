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
  const written = parse(quantity);
  if (written.exponent > maxExponent) throw notQuantity(quantity);
  const { digits, scale } = amountOf(written);
  const nano = digits * 10n ** BigInt(scale + 9);
  const isFraction = nano !== 0n && magnitude(nano) < one;
  return { nano, format: written.format === "binary" && isFraction ? "decimal" : written.format };
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
  const written = parse(quantity);
  return isUnchanged(written) ? written.text : print(amountOf(written), written.format);
}

/**
 * Formats an amount in the shortest form without a fraction, with a suffix of a power of 1000, or of 1024 in binary
 * format.
 */
export function printQuantity({ nano, format }: Amount): Quantity {
  return print({ digits: nano, scale: -9 }, format);
}

/** `digits` times ten to the power of `scale`, which is at least -9. No power is computed, so any exponent is cheap. */
interface ScaledAmount {
  readonly digits: bigint;
  readonly scale: number;
}

const one = 1_000_000_000n;
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const decimalSuffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
/** The power of ten of the largest decimal suffix. */
const maxDecimalScale = 18;

function print(amount: ScaledAmount, format: Amount["format"]): string {
  if (amount.digits === 0n) return "0";
  const whole = format === "binary" ? wholeOf(amount) : undefined;
  if (whole !== undefined && magnitude(whole) >= 1024n) return printBinary(whole);
  return printDecimal(amount, format === "exponent");
}

/** Returns the amount if it has no fraction. The scale of an amount in binary format is at most 0. */
function wholeOf({ digits, scale }: ScaledAmount): bigint | undefined {
  const unit = 10n ** BigInt(-scale);
  return digits % unit === 0n ? digits / unit : undefined;
}

function printBinary(value: bigint): string {
  let [rest, power] = [value, 0];
  while (rest % 1024n === 0n && power < binarySuffixes.length - 1) [rest, power] = [rest / 1024n, power + 1];
  return `${rest}${binarySuffixes[power]}`;
}

function printDecimal({ digits, scale }: ScaledAmount, exponent: boolean): string {
  const text = `${digits}`;
  const end = endWithoutZeros(text);
  const fullScale = scale + text.length - end;
  const printedScale = Math.min(Math.floor(fullScale / 3) * 3, exponent ? fullScale : maxDecimalScale);
  const printed = text.slice(0, end) + "0".repeat(fullScale - printedScale);
  if (!exponent) return `${printed}${decimalSuffixes[printedScale / 3 + 3]}`;
  return printedScale === 0 ? printed : `${printed}e${printedScale}`;
}

/** Returns the index after the last digit that is not zero. */
function endWithoutZeros(text: string): number {
  let end = text.length;
  while (text[end - 1] === "0") end--;
  return end;
}

/** Amounts with larger exponents are not realistic, and computing with them takes long. */
const maxExponent = 999;
/** The maximum of binary quantities: 2^63 - 1. */
const maxBinary = (1n << 63n) - 1n;

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: Amount["format"];
}

/** The parts of a quantity. `whole` has no leading zeros. */
interface WrittenQuantity extends Suffix {
  readonly text: string;
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

function parse(quantity: Quantity | number): WrittenQuantity {
  const text = String(quantity);
  const match = /^([-+]?)(\d*)(?:\.(\d*))?((?:[a-zA-Z]+[-+]?\d*|[-+]\d*)?)$/.exec(text);
  const suffix = match && /^[-+]?\.?\d/.test(text) ? readSuffix(match[4] ?? "") : undefined;
  if (!match || !suffix) throw notQuantity(quantity);
  const whole = match[2]?.replace(/^0+/, "") || "0";
  return { text, negative: match[1] === "-", whole, fraction: match[3] ?? "", ...suffix };
}

function notQuantity(quantity: Quantity | number): TypeError {
  return new TypeError(
    `expected a quantity like "1", "500m", "1.5Gi" or "1e3", got ${JSON.stringify(quantity)}`,
  );
}

function readSuffix(suffix: string): Suffix | undefined {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal >= 0) return { base: 10, exponent: decimal * 3 - 9, format: "decimal" };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary >= 0) return { base: 2, exponent: binary * 10, format: "binary" };
  const exponent = /^[eE]([-+]?\d{1,9})$/.exec(suffix)?.[1];
  return exponent === undefined ? undefined : { base: 10, exponent: Number(exponent), format: "exponent" };
}

function amountOf({ negative, whole, fraction, base, exponent }: WrittenQuantity): ScaledAmount {
  const digits = BigInt(whole + fraction);
  const { digits: rounded, scale } =
    base === 10
      ? roundedUp(digits, exponent - fraction.length)
      : binaryAmount(digits << BigInt(exponent), fraction.length);
  return { digits: negative ? -rounded : rounded, scale };
}

function binaryAmount(digits: bigint, fractionDigits: number): ScaledAmount {
  const max = maxBinary * 10n ** BigInt(fractionDigits);
  return digits > max ? { digits: maxBinary, scale: 0 } : roundedUp(digits, -fractionDigits);
}

/** Rounds to a billionth, away from zero, so that a positive request never becomes zero. */
function roundedUp(digits: bigint, scale: number): ScaledAmount {
  const excess = -9 - scale;
  if (excess <= 0) return { digits, scale };
  // Far below a billionth the power of ten would have as many digits as the exponent says, so it is not computed.
  if (excess > `${digits}`.length) return { digits: digits === 0n ? 0n : 1n, scale: -9 };
  const unit = 10n ** BigInt(excess);
  return { digits: (digits + unit - 1n) / unit, scale: -9 };
}

/**
 * Returns true if the server keeps the text although a shorter one exists, such as `"1.500"` and `"010"`: the number
 * fits the server's fast path, its scale is a power of 1000 or 1024, and it has no further factor that the server
 * checks.
 */
function isUnchanged({ whole, fraction, base, exponent }: WrittenQuantity): boolean {
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
