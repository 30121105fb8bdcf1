/** Thrown for a string that is not a quantity. The message is kube-apiserver's. */
export class QuantityError extends Error {
  override readonly name = "QuantityError";
}

/**
 * Returns a quantity in the form that Kubernetes stores: no fraction, the largest suffix of its format, and no
 * precision below 1n. `"0.5"` becomes `"500m"`, `"1024Mi"` becomes `"1Gi"`. A string in that form is returned as it is.
 *
 * @throws {QuantityError} if the string is not a quantity
 */
export function canonicalQuantity(text: string): string {
  const parts = parse(text.trim());
  if (isCanonical(parts)) return parts.text;
  const amount = parts.unit.base === 10 ? decimalAmount(parts) : binaryAmount(parts);
  if (amount.digits === 0n) return "0";
  return parts.unit.base === 2 ? binaryText(amount) : decimalText(amount, parts.unit.format);
}

interface Unit {
  readonly base: 2 | 10;
  readonly exponent: number;
  /** `si`: thousands are written as a letter. `exponent`: they are written as an exponent. */
  readonly format: "si" | "exponent";
}

interface Parts {
  readonly text: string;
  readonly negative: boolean;
  /** The digits before the point without leading zeros, and the digits after it. */
  readonly whole: string;
  readonly fraction: string;
  readonly unit: Unit;
}

const decimalLetters = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binaryLetters = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

function parse(text: string): Parts {
  const [, sign, number = "", suffix = ""] =
    /^([+-]?)([0-9]*(?:\.[0-9]*)?)((?:[eEinumkKMGTP]+[+-]?[0-9]*|[+-][0-9]*)?)$/.exec(text) ?? [];
  if (text === "" || sign === undefined) throw new QuantityError(wrongFormat);
  const [whole = "", fraction = ""] = number.split(".");
  return {
    text,
    negative: sign === "-",
    whole: whole.replace(/^0+/, "") || "0",
    fraction,
    unit: unitOf(suffix),
  };
}

const wrongFormat =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function unitOf(suffix: string): Unit {
  const decimal = decimalLetters.indexOf(suffix);
  if (decimal >= 0) return { base: 10, exponent: decimal * 3 - 9, format: "si" };
  const binary = binaryLetters.indexOf(suffix);
  if (binary > 0) return { base: 2, exponent: binary * 10, format: "si" };
  const exponent = /^[eE]([+-]?[0-9]{1,9})$/.exec(suffix)?.[1];
  if (exponent === undefined) throw new QuantityError("unable to parse quantity's suffix");
  return { base: 10, exponent: Number(exponent), format: "exponent" };
}

/**
 * Returns true if Kubernetes treats the string as canonical. It decides by the digits alone, so `007` and `+5` count
 * too.
 */
function isCanonical({ whole, fraction, unit }: Parts): boolean {
  const digits = whole + fraction;
  if (unit.base === 2) {
    const short = 14 - whole.length - Math.trunc(unit.exponent * 0.3) >= 0;
    return fraction === "" && short && Number(whole) % 8 !== 0;
  }
  const scale = unit.exponent - fraction.length;
  const exact = digits.length <= 18 && scale >= -9 && scale % 3 === 0;
  return exact && !digits.endsWith("000") && !digits.startsWith("0");
}

/** `digits` times ten to the power of `scale`, which is never below -9. */
interface Amount {
  readonly digits: bigint;
  readonly scale: number;
}

function decimalAmount({ negative, whole, fraction, unit }: Parts): Amount {
  return roundedAwayFromZero(signed(BigInt(whole + fraction), negative), unit.exponent - fraction.length);
}

function binaryAmount({ negative, whole, fraction, unit }: Parts): Amount {
  const digits = BigInt(whole + fraction) * 2n ** BigInt(unit.exponent);
  const limit = (2n ** 63n - 1n) * 10n ** BigInt(fraction.length);
  if (digits > limit) return { digits: signed(limit, negative), scale: -fraction.length };
  return roundedAwayFromZero(signed(digits, negative), -fraction.length);
}

function signed(digits: bigint, negative: boolean): bigint {
  return negative ? -digits : digits;
}

/** Rounds away from zero to a billionth, so that a positive request never becomes zero. */
function roundedAwayFromZero(digits: bigint, scale: number): Amount {
  const excess = -9 - scale;
  if (excess <= 0) return { digits, scale };
  // Far below a billionth the power of ten would have as many digits as the exponent says, so it is not computed.
  if (excess > String(digits).length)
    return { digits: digits === 0n ? 0n : digits > 0n ? 1n : -1n, scale: -9 };
  const unit = 10n ** BigInt(excess);
  const cut = digits / unit;
  const rest = digits % unit;
  return { digits: rest === 0n ? cut : rest > 0n ? cut + 1n : cut - 1n, scale: -9 };
}

function decimalText(amount: Amount, format: Unit["format"]): string {
  let { digits, scale } = amount;
  for (; digits % 10n === 0n; digits /= 10n) scale++;
  for (; scale % 3 !== 0; digits *= 10n) scale--;
  if (format === "si") return `${digits}${decimalLetters[scale / 3 + 3] ?? ""}`;
  return scale === 0 ? `${digits}` : `${digits}e${scale}`;
}

/** Formats in powers of 1024, unless the amount is small or has a fraction. */
function binaryText(amount: Amount): string {
  const whole = wholeOf(amount);
  if (whole === undefined || (whole > -1024n && whole < 1024n)) return decimalText(amount, "si");
  let digits = whole;
  let power = 0;
  for (; digits % 1024n === 0n; digits /= 1024n) power++;
  return `${digits}${binaryLetters[power] ?? ""}`;
}

function wholeOf({ digits, scale }: Amount): bigint | undefined {
  const unit = 10n ** BigInt(-scale);
  return digits % unit === 0n ? digits / unit : undefined;
}
