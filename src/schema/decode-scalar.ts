import { Base64Error, canonicalBase64 } from "./base64-text.ts";
import type { DecodeRun } from "./decode-run.ts";
import { isArray, typeOf } from "./json-value.ts";
import { canonicalQuantity } from "./quantity-text.ts";
import { canonicalMicroTime, canonicalTime } from "./time-text.ts";
import type { Shape, TypedSchema } from "./typed-schema.ts";

/** Decodes a value that is no struct, list or map, into the form in which Kubernetes writes it. */
export function decodeScalar(value: unknown, { shape, goType }: TypedSchema, run: DecodeRun): unknown {
  switch (shape) {
    case "string":
    case "boolean":
      return typeof value === shape ? value : run.mismatch(goWord(value), goType);
    case "number":
      return isNumber(value) ? value : run.mismatch(goWord(value), goType);
    case "integer":
      return decodeInteger(value, goType, run);
    case "bytes":
      return decodeBytes(value, run);
    default:
      return shape === "raw" ? value : decodeOwn(value, shape, run);
  }
}

/** What Go calls the type of a JSON value. */
export function goWord(value: unknown): string {
  const type = typeOf(value);
  if (type === "boolean") return "bool";
  return type === "integer" ? "number" : type;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function decodeInteger(value: unknown, goType: string, run: DecodeRun): unknown {
  if (!isNumber(value)) return run.mismatch(goWord(value), goType);
  const written = run.written(value);
  return isInteger(written, goType) ? value : run.mismatch(`number ${written}`, goType);
}

const ranges: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint8: [0n, 255n],
};

/** Any number of fewer digits is exact in JavaScript. */
const exactDigits = 16;

/** Whether digits were written, and not too many: `3.0` is no integer to Go. */
function isInteger(written: string, goType: string): boolean {
  const [least, most] = ranges[goType] ?? [0n, 0n];
  if (!/^-?\d{1,20}$/.test(written)) return false;
  const value = written.length < exactDigits ? Number(written) : BigInt(written);
  return value >= least && value <= most;
}

/** Bytes are base64, or a list of their values. */
function decodeBytes(value: unknown, run: DecodeRun): unknown {
  if (isArray(value)) return decodeByteList(value, run);
  if (typeof value !== "string") return run.mismatch(goWord(value), "[]uint8");
  try {
    return canonicalBase64(value);
  } catch (error) {
    if (error instanceof Base64Error) return run.spoil(error.message);
    throw error;
  }
}

function decodeByteList(value: readonly unknown[], run: DecodeRun): string {
  const bytes = value.map((byte) => decodeInteger(byte, "uint8", run));
  return Buffer.from(bytes.map(Number)).toString("base64");
}

/** Types that decode themselves: what they refuse ends the decoding. */
function decodeOwn(value: unknown, shape: Shape, run: DecodeRun): unknown {
  if (shape === "intOrString") return decodeIntOrString(value, run);
  if (shape === "quantity") {
    const written = isNumber(value) ? run.written(value) : value;
    return ownText(typeof written === "string" ? written : goWord(value), canonicalQuantity, run);
  }
  if (typeof value !== "string") return run.refuse(goWord(value), "string");
  return ownText(value, shape === "time" ? canonicalTime : canonicalMicroTime, run);
}

function decodeIntOrString(value: unknown, run: DecodeRun): unknown {
  if (typeof value === "string") return value;
  if (!isNumber(value)) return run.refuse(goWord(value), "int32");
  const written = run.written(value);
  return isInteger(written, "int32") ? value : run.refuse(`number ${written}`, "int32");
}

function ownText(text: string, canonical: (text: string) => string | undefined, run: DecodeRun): unknown {
  try {
    return canonical(text);
  } catch (error) {
    return run.fail(error instanceof Error ? error.message : String(error));
  }
}
