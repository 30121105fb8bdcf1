import type { Composer, Document, LineCounter, Parser } from "yaml";
import { TimeSlice } from "../base/index.ts";
import { JsonSyntaxError } from "../schema/index.ts";
import { tooLarge } from "./status-error.ts";

/** How deep collections may be nested, as in `readJson`. The library calls itself for each level. */
const deepest = 1000;

/** The library composes a document at once. That takes about a microsecond for each token, and each line of a text. */
const mostTokens = 100_000;

/**
 * Reads tokens until the first document is complete: what follows is not looked at. Other work runs meanwhile.
 *
 * A document that is nested too deeply is refused with a `JsonSyntaxError` before it is composed: that would overflow
 * the stack, and may end the process. One of too many tokens is refused with 413.
 */
export async function firstDocument(
  yaml: typeof import("yaml"),
  text: string,
  lines: LineCounter,
): Promise<Document | undefined> {
  const options = { version: "1.1", schema: "failsafe", uniqueKeys: false } as const;
  const [parser, composer] = [new yaml.Parser(lines.addNewLine), new yaml.Composer(options)];
  const slice = new TimeSlice();
  let tokens = linesOf(text);
  lines.addNewLine(0);
  for (const token of new yaml.Lexer().lex(text)) {
    const [document] = documentsAt(token, parser, composer);
    if (document) return document;
    tokens += token === "\n" ? 0 : 1; // a line end was counted before
    if (tokens > mostTokens)
      throw tooLarge(`Request entity too large: limit is ${mostTokens} tokens of YAML`);
    if (parser.stack.length > deepest) throw tooDeep(lines.linePos(parser.offset).line);
    if (slice.over) await slice.pause();
  }
  return lastDocument(parser, composer);
}

/** The number of line ends, up to the limit of tokens. */
function linesOf(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && count <= mostTokens; at = text.indexOf("\n", at + 1))
    count += 1;
  return count;
}

function tooDeep(line: number): JsonSyntaxError {
  return new JsonSyntaxError(`yaml: ${line > 1 ? `line ${line}: ` : ""}exceeded max depth of 10000`);
}

/** The documents that are complete with a token. */
function documentsAt(token: string, parser: Parser, composer: Composer): Document[] {
  return withoutTraces(() => [...parser.next(token)].flatMap((part) => [...composer.next(part)]));
}

function lastDocument(parser: Parser, composer: Composer): Document | undefined {
  return withoutTraces(() => {
    const documents = [...parser.end()].flatMap((part) => [...composer.next(part)]);
    return [...documents, ...composer.end()][0];
  });
}

/**
 * Runs without stack traces: the library makes an error for every fault of a document, of which only the first counts.
 * Traces would take ten times as long as the rest.
 */
function withoutTraces<T>(run: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = limit;
  }
}
