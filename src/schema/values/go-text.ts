import { compareBytes } from "./compare-bytes.ts";
import { fieldOf, isArray, isObject, typeOf } from "./json-value.ts";

/** Quotes a string as Go's `%q` does, so that messages match exactly. */
export function goQuoted(text: string): string {
  return `"${text.replace(/[^ !#-[\]-~]/gu, quotedCharacter)}"`;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
]);

const printable = /^[ \p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

function quotedCharacter(character: string): string {
  const escaped = escapes.get(character);
  if (escaped !== undefined) return escaped;
  if (printable.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/**
 * Formats a number as Go's `%v` does: all digits of an integer, and an exponent for other numbers of a million or more.
 */
export function goNumber(value: number | bigint): string {
  if (typeof value === "bigint") return String(value);
  if (typeOf(value) === "integer") return String(BigInt(value));
  return goFloat(value);
}

/** Formats a number as Go formats a float64, which uses an exponent for large integers too. */
export function goFloat(value: number): string {
  if (value === 0) return "0";
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power <= 5) return String(value);
  return `${digits}e${power < 0 ? "-" : "+"}${twoDigits(Math.abs(power))}`;
}

function twoDigits(power: number): string {
  return String(power).padStart(2, "0");
}

/**
 * Marks a value that is a struct in Go: `goJson` prints its fields in their order. Maps inside it must be sorted
 * already.
 */
export class GoStruct {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** Encodes a value as Go's `encoding/json` does: sorted keys and escaped HTML characters. */
export function goJson(value: unknown): string {
  try {
    return escapeHtml(value instanceof GoStruct ? JSON.stringify(value.value ?? null) : jsonText(value));
  } catch (error) {
    // Only nesting deeper than the stack throws a RangeError. The result is part of a message for people, so a
    // placeholder is enough.
    if (error instanceof RangeError) return "<nested too deeply to be printed>";
    throw error;
  }
}

function jsonText(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const fields = Object.keys(value).sort(compareBytes);
  return `{${fields.map((key) => `${JSON.stringify(key)}:${jsonText(fieldOf(value, key))}`).join(",")}}`;
}

/** Encodes a string as Go's `encoding/json` does, with escaped HTML characters. */
export function goJsonString(text: string): string {
  return escapeHtml(JSON.stringify(text));
}

function escapeHtml(text: string): string {
  return text.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${hex(character.charCodeAt(0), 4)}`);
}
