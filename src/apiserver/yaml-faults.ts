import type { YAMLError } from "yaml";

/** An error of the library, and the line it is on. */
export interface FaultAt {
  readonly error: YAMLError;
  readonly line: number;
}

/** What Go's reader says of a text that the library cannot read. */
export function yamlFault({ error, line }: FaultAt, text: string): string {
  const { code, message, pos } = error;
  const flow = /end with a ([}\]])/.exec(message)?.[1];
  if (flow !== undefined) return at(flowLine(text, pos[0], line), flowFault(text, flow));
  return at(line > 1 ? line : 0, wordsFor(message) ?? texts[code] ?? "did not find expected node content");
}

function at(line: number, text: string): string {
  return line > 0 ? `line ${line}: ${text}` : text;
}

/** After an opening, a comma or a colon the reader looks for what comes next, and otherwise for the end. */
function flowFault(text: string, closing: string): string {
  return /[{[,:]\s*$/.test(text)
    ? "did not find expected node content"
    : `did not find expected ',' or '${closing}'`;
}

/** Where a flow is missed to end is counted from 0, and the end of the text is on a line of its own. */
function flowLine(text: string, offset: number, line: number): number {
  if (/:(\s|$)/.test(text.slice(offset))) return line - 1;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

function wordsFor(message: string): string | undefined {
  return words.find(([pattern]) => pattern.test(message))?.[1];
}

/** Where the library has one code for many things. */
const words: ReadonlyArray<readonly [RegExp, string]> = [
  [/^Missing closing ['"]/, "found unexpected end of stream"],
  [/^Unexpected block-seq-ind on same line/, "block sequence entries are not allowed in this context"],
];

const texts: Readonly<Record<string, string | undefined>> = {
  BAD_DQ_ESCAPE: "found unknown escape character",
  BAD_INDENT: "did not find expected key",
  BAD_SCALAR_START: "found character that cannot start any token",
  BLOCK_AS_IMPLICIT_KEY: "mapping values are not allowed in this context",
  MISSING_CHAR: "could not find expected ':'",
  TAB_AS_INDENT: "found character that cannot start any token",
};
