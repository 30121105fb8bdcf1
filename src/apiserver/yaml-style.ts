import type { Pair, Scalar, ScalarTag, Tags } from "yaml";
import { yamlScalar } from "./yaml-scalar.ts";

/** How the real server writes YAML: fields in Go's order, lists not indented, quotes only where they are needed. */
export const yamlStyle = {
  version: "1.1",
  indentSeq: false,
  singleQuote: true,
  customTags: (tags: Tags): Tags => tags.map(asGo),
  sortMapEntries: (one: Pair, other: Pair): number => compareKeys(keyOf(one), keyOf(other)),
} as const;

function asGo(tag: Tags[number]): Tags[number] {
  if (typeof tag === "string" || tag.collection !== undefined) return tag;
  if (tag.tag === "tag:yaml.org,2002:str") return quoted(tag);
  // A dot alone, by which a manager owns the whole of a map, is no number.
  return tag.test?.test(".") ? { ...tag, test: withDigits } : tag;
}

/** Double quotes are around what would be read as something else than a text, single ones where it could not be read. */
function quoted(tag: ScalarTag): ScalarTag {
  return {
    ...tag,
    stringify(item, ...rest) {
      const style = isText(String(item.value)) ? item : Object.assign(item, { type: "QUOTE_DOUBLE" });
      return tag.stringify?.(style, ...rest) ?? "";
    },
  };
}

function isText(value: string): boolean {
  return typeof yamlScalar({ value, type: "PLAIN" }) === "string" && !/^\d{4}-\d\d?-\d\d?/.test(value);
}

const withDigits = /^[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9_]*[0-9][0-9_]*)$/;

function keyOf({ key }: Pair): string {
  // The key of an object is a text, and stands in a node of its own.
  return String((key as Scalar).value ?? key);
}

/** Go's order: numbers in keys by their value, and what is no letter before letters. */
function compareKeys(one: string, other: string): number {
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
  return /[1-9]\d*$/.test(before.join(""));
}

function digitsAt(characters: readonly string[], at: number): string {
  return /^\d*/.exec(characters.slice(at).join(""))?.[0] ?? "";
}

function compareNumbers(one: string, other: string): number {
  return Number(one) - Number(other) || one.length - other.length;
}
