/** A scalar in its written form. */
export interface WrittenScalar {
  readonly value: unknown;
  /** `PLAIN` if it has no quotes. */
  readonly type?: string | undefined;
  /** The tag as it was written: `!!str`, or the full form. */
  readonly tag?: string | undefined;
}

/** Returns the value of a YAML 1.1 scalar as Go's parser reads it. Timestamps are strings. Integers stay exact. */
export function yamlScalar({ value, type, tag }: WrittenScalar): unknown {
  const text = String(value ?? "");
  if (tag === `${tagPrefix}binary`) return Buffer.from(text, "base64").toString();
  if (tag === `${tagPrefix}str` || (type !== "PLAIN" && !tag?.startsWith(tagPrefix))) return text;
  return plainScalar(text);
}

const tagPrefix = "tag:yaml.org,2002:";

function plainScalar(text: string): unknown {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (/^\.?_/.test(text)) return text; // underscores separate digits, but a number does not start with one
  return integer(text.replaceAll("_", "")) ?? float(text.replaceAll("_", "")) ?? text;
}

const words: ReadonlyMap<string, boolean | null | number> = new Map<string, boolean | null | number>([
  ...["", "~", "null", "Null", "NULL"].map((text) => [text, null] as const),
  ...["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"].map(
    (text) => [text, true] as const,
  ),
  ...["n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"].map(
    (text) => [text, false] as const,
  ),
  ...[".nan", ".NaN", ".NAN"].map((text) => [text, Number.NaN] as const),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map(
    (text) => [text, Number.POSITIVE_INFINITY] as const,
  ),
  ...["-.inf", "-.Inf", "-.INF"].map((text) => [text, Number.NEGATIVE_INFINITY] as const),
]);

/** Parses an integer: decimal, `0x`, `0b`, `0o`, or octal with a leading zero. */
function integer(text: string): number | bigint | undefined {
  const [, sign = "", digits = ""] =
    /^([-+]?)(0x[0-9a-fA-F]+|0b[01]+|0o[0-7]+|0[0-7]*|[1-9][0-9]*)$/.exec(text) ?? [];
  if (digits === "") return undefined;
  const octal = /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits;
  const value = sign === "-" ? -BigInt(octal) : BigInt(octal);
  if (value >= 1n << 64n || value < -(1n << 63n)) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function float(text: string): number | undefined {
  return /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(text) ? Number(text) : undefined;
}
