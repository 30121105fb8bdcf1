import { type FoldPlace, yamlFolded } from "./yaml-folded.ts";
import { yamlScalar } from "./yaml-scalar.ts";

/** Encodes a string in YAML like Go: plain if possible, else quoted. A string of several lines is a block. */
export function yamlString(value: string, place: FoldPlace): string {
  if (value.includes("\n"))
    return unfitForBlocks.test(value) ? doubleQuoted(value, place) : block(value, place);
  return yamlFolded(yamlLine(value), place);
}

/**
 * Encodes a string without line ends on one line, as for a key. Double quotes mark a text that would be read as another
 * type, single quotes one that could not be read plain.
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

/** Characters that Go does not consider printable: control characters, byte order marks, and all beyond 16 bits. */
const special = /[^\n\x20-\x7e\xa0-\ufefe\uff00-\ufffd]|[\ud800-\udfff]/;

/** Texts that need quotes: spaces at an end, indicators at the start, and sequences that have a meaning inside. */
const unfitForPlain = /^[ #,[\]{}&*!|>'"%@`]|^[-?:](?: |$)|^(?:---|\.\.\.)|: |:$| #| $/;

const unfitForBlocks = new RegExp(`${special.source}| \\n| $`);

/** Encodes a text as a block. The indicator depends on the line ends at the end of the text. */
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
