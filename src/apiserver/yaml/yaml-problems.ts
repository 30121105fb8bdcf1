import type { YAMLError } from "yaml";

/** An error of the YAML library and its line. */
export interface LocatedError {
  readonly error: YAMLError;
  readonly line: number;
}

/** Returns the message of Go's parser for an error of the YAML library. */
export function yamlProblem({ error, line }: LocatedError, text: string): string {
  const { code, message, pos } = error;
  const flow = /end with a ([}\]])/.exec(message)?.[1];
  if (flow !== undefined) return at(flowLine(text, pos[0], line), flowProblem(text, flow));
  return at(line > 1 ? line : 0, messageFor(message) ?? texts[code] ?? "did not find expected node content");
}

function at(line: number, text: string): string {
  return line > 0 ? `line ${line}: ${text}` : text;
}

/**
 * Returns the error of an unclosed flow collection: Go expects content after an opening bracket, a comma or a colon,
 * and the end otherwise.
 */
function flowProblem(text: string, closing: string): string {
  return /[{[,:]\s*$/.test(text)
    ? "did not find expected node content"
    : `did not find expected ',' or '${closing}'`;
}

/** Returns the line of an unclosed flow collection. Go counts it from 0, and counts the end of the text as a line. */
function flowLine(text: string, offset: number, line: number): number {
  if (/:(\s|$)/.test(text.slice(offset))) return line - 1;
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

function messageFor(message: string): string | undefined {
  return messages.find(([pattern]) => pattern.test(message))?.[1];
}

/** The messages for errors that share a code in the library. */
const messages: ReadonlyArray<readonly [RegExp, string]> = [
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
