import { runAtOnce, type Steps } from "../../base/index.ts";
import { goFloat, isArray, isObject, type JsonObject } from "../../schema/index.ts";
import type { FoldPlace } from "./yaml-folded.ts";
import { compareYamlKeys } from "./yaml-key-order.ts";
import { yamlLine, yamlString } from "./yaml-string.ts";

/** Encodes JSON as YAML like kube-apiserver: keys in Go's order, lists not indented. */
export function writeYaml(value: unknown): string {
  return runAtOnce(yamlSteps(value));
}

/** Encodes YAML like `writeYaml`, with a step for each part of a long object or list. */
export function* yamlSteps(value: unknown): Steps<string> {
  return `${(yield* textOf(value, { indent: "", column: 0 })).slice(1)}\n`; // the text has no key before it
}

/** Encodes an element of a list that is not indented, with its dash and its line end. */
export function writeYamlElement(value: unknown): string {
  return `-${runAtOnce(elementText(value, ""))}\n`;
}

const step = "  ";

/**
 * Encodes a value with the separator from the key or dash before it, at `column`: a space or a line end. No line end
 * follows.
 */
function* textOf(value: unknown, place: FoldPlace): Steps<string> {
  if (isArray(value))
    return value.length === 0 ? " []" : `\n${yield* listText(value, place.indent.slice(2))}`;
  if (!isObject(value)) return scalarText(value, place);
  const text = yield* objectText(value, place.indent);
  return text === "" ? " {}" : `\n${text}`;
}

function scalarText(value: unknown, place: FoldPlace): string {
  if (typeof value === "string") return ` ${yamlString(value, { ...place, column: place.column + 1 })}`;
  return ` ${typeof value === "number" ? numberText(value) : String(value)}`;
}

/** Encodes a number. A number that does not fit in 64 bits is a float. */
function numberText(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 64 ? String(value) : goFloat(value);
}

function* objectText(object: JsonObject, indent: string): Steps<string> {
  const keys = Object.keys(object).sort(compareYamlKeys);
  return yield* joinedLines(keys, (key) => pairText(key, object[key], indent));
}

/** Encodes items on separate lines. A step ends after a number of items. */
function* joinedLines<Item>(items: readonly Item[], text: (item: Item) => Steps<string>): Steps<string> {
  const lines: string[] = [];
  for (const item of items) {
    lines.push(yield* text(item));
    if (lines.length % linesInStep === 0) yield;
  }
  return lines.join("\n");
}

const linesInStep = 256;

function* pairText(key: string, value: unknown, indent: string): Steps<string> {
  const head = isSimple(key)
    ? `${indent}${yamlLine(key)}:`
    : `${indent}?${scalarText(key, { indent: indent + step, column: indent.length + 1 })}\n${indent}:`;
  const column = head.length - head.lastIndexOf("\n") - 1;
  return head + (yield* textOf(value, { indent: indent + step, column }));
}

/** Returns true if a key is a simple key: on one line and at most 128 bytes long. Other keys start with `?`. */
function isSimple(key: string): boolean {
  return !key.includes("\n") && Buffer.byteLength(key) <= 128;
}

function* listText(list: readonly unknown[], indent: string): Steps<string> {
  return yield* joinedLines(list, function* (element) {
    return `${indent}-${yield* elementText(element, indent)}`;
  });
}

/** Encodes an element. Its content starts on the line of the dash. */
function* elementText(element: unknown, indent: string): Steps<string> {
  const inner = indent + step;
  const text = isArray(element)
    ? yield* textOf(element, { indent: inner + step, column: 0 })
    : yield* textOf(element, { indent: inner, column: indent.length + 1 });
  return text.startsWith("\n") ? ` ${text.slice(1 + inner.length)}` : text;
}
