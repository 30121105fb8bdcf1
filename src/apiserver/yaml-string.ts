import { type FoldPlace, yamlFolded } from "./yaml-folded.ts";
import { yamlScalar } from "./yaml-scalar.ts";

/** A text as Go writes it in YAML: bare if it can be, else in quotes; what has several lines as they are. */
export function yamlString(value: string, place: FoldPlace): string {
  if (value.includes("\n"))
    return unfitForBlocks.test(value) ? doubleQuoted(value, place) : block(value, place);
  return yamlFolded(yamlLine(value), place);
}

/**
 * A text without line ends, on one line, as a key has to be. Double quotes are around what would be read as something
 * else than a text, single ones around what could not be read.
 */
export function yamlLine(value: string): string {
  if (!isText(value) || special.test(value)) return escaped(value);
  return unfitForPlain.test(value) ? `'${value.replaceAll("'", "''")}'` : value;
}

function isText(value: string): boolean {
  return typeof yamlScalar({ value, type: "PLAIN" }) === "string" && !date.test(value) && !base60.test(value);
}

const date = /^\d{4}-\d\d?-\d\d?/;
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;

/** What Go does not take for printable: control characters, marks of byte order, and all beyond 16 bits. */
const special = /[^\n\x20-\x7e\xa0-\ufefe\uff00-\ufffd]|[\ud800-\udfff]/;

/** Spaces at an end, signs that mean something at the beginning, and those that do where they stand. */
const unfitForPlain = /^[ #,[\]{}&*!|>'"%@`]|^[-?:](?: |$)|^(?:---|\.\.\.)|: |:$| #| $/;

const unfitForBlocks = new RegExp(`${special.source}| \\n| $`);

/** Line by line. The sign tells whether the text ends with an empty line, or without a line end. */
function block(value: string, { indent }: FoldPlace): string {
  const deep = /^[ \n]/.test(value) ? "2" : "";
  const end = /(?:^|\n)\n$/.test(value) ? "+" : "";
  const lines = value.replace(/\n$/, "").split("\n");
  const text = lines.map((line) => (line === "" ? "" : indent + line)).join("\n");
  return `|${deep}${value.endsWith("\n") ? end : "-"}\n${text}`;
}

function doubleQuoted(value: string, place: FoldPlace): string {
  return yamlFolded(escaped(value), place);
}

function escaped(value: string): string {
  return `"${Array.from(value, escapedCharacter).join("")}"`;
}

function escapedCharacter(character: string): string {
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  if (!special.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${digits.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\0", "\\0"],
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\v", "\\v"],
  ["\f", "\\f"],
  ["\r", "\\r"],
  ["\x1b", "\\e"],
  ['"', '\\"'],
  ["\\", "\\\\"],
]);
