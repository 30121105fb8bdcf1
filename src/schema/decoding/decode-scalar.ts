import { Base64Error, canonicalBase64 } from "../formats/canonical-base64.ts";
import { canonicalMicroTime, canonicalTime } from "../formats/canonical-time.ts";
import { storedQuantity } from "../formats/stored-quantity.ts";
import type { Shape, TypedSchema } from "../structure/typed-schema.ts";
import { jsonTypeName } from "../values/go-value.ts";
import { isArray } from "../values/json-value.ts";
import type { DecodeRun } from "./decode-run.ts";

/** Decodes a value that is not a struct, list or map into the form that Kubernetes writes. */
export function decodeScalar(value: unknown, { shape, goType }: TypedSchema, run: DecodeRun): unknown {
  switch (shape) {
    case "string":
    case "boolean":
      return typeof value === shape ? value : run.mismatch(jsonTypeName(value), goType);
    case "number":
      return isNumber(value) ? value : run.mismatch(jsonTypeName(value), goType);
    case "integer":
      return decodeInteger(value, goType, run);
    case "bytes":
      return decodeBytes(value, run);
    default:
      return shape === "raw" ? value : decodeCustomType(value, shape, run);
  }
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function decodeInteger(value: unknown, goType: string, run: DecodeRun): unknown {
  if (!isNumber(value)) return run.mismatch(jsonTypeName(value), goType);
  const written = run.written(value);
  return isInteger(written, goType) ? value : run.mismatch(`number ${written}`, goType);
}

const ranges: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint8: [0n, 255n],
};

/** Numbers with fewer digits are exact in JavaScript. */
const exactDigits = 16;

/** Returns true if the number was written as digits in the range of the Go type. `3.0` is not an integer to Go. */
function isInteger(written: string, goType: string): boolean {
  const [min, max] = ranges[goType] ?? [0n, 0n];
  if (!/^-?\d{1,20}$/.test(written)) return false;
  const value = written.length < exactDigits ? Number(written) : BigInt(written);
  return value >= min && value <= max;
}

/** Decodes bytes from base64 or from a list of byte values. */
function decodeBytes(value: unknown, run: DecodeRun): unknown {
  if (isArray(value)) return decodeByteList(value, run);
  if (typeof value !== "string") return run.mismatch(jsonTypeName(value), "[]uint8");
  try {
    return canonicalBase64(value);
  } catch (error) {
    if (error instanceof Base64Error) return run.recordError(error.message);
    throw error;
  }
}

function decodeByteList(value: readonly unknown[], run: DecodeRun): string {
  const bytes = value.map((byte) => decodeInteger(byte, "uint8", run));
  return Buffer.from(bytes.map(Number)).toString("base64");
}

/** Decodes a type with its own decoder. Its errors end the decoding. */
function decodeCustomType(value: unknown, shape: Shape, run: DecodeRun): unknown {
  if (shape === "intOrString") return decodeIntOrString(value, run);
  if (shape === "quantity") {
    const written = isNumber(value) ? run.written(value) : value;
    return decodeText(typeof written === "string" ? written : jsonTypeName(value), storedQuantity, run);
  }
  if (typeof value !== "string") return run.failMismatch(jsonTypeName(value), "string");
  return decodeText(value, shape === "time" ? canonicalTime : canonicalMicroTime, run);
}

function decodeIntOrString(value: unknown, run: DecodeRun): unknown {
  if (typeof value === "string") return value;
  if (!isNumber(value)) return run.failMismatch(jsonTypeName(value), "int32");
  const written = run.written(value);
  return isInteger(written, "int32") ? value : run.failMismatch(`number ${written}`, "int32");
}

function decodeText(text: string, canonical: (text: string) => string | undefined, run: DecodeRun): unknown {
  try {
    return canonical(text);
  } catch (error) {
    return run.fail(error instanceof Error ? error.message : String(error));
  }
}
