import type { Composer, Document, LineCounter, Parser } from "yaml";
import { TimeSlice } from "../../base/index.ts";
import { JsonSyntaxError } from "../../schema/index.ts";
import { tooLarge } from "../types/status-error.ts";

/** Maximum nesting of collections, as in `readJson`. The library recurses for each level. */
const maxDepth = 1000;

/**
 * Maximum number of tokens. The library composes a document in one go, which takes about a microsecond per token and
 * per line.
 */
const maxTokens = 100_000;

/**
 * Reads tokens until the first document is complete and ignores the rest. Other work runs meanwhile.
 *
 * A document that is nested too deeply is refused with a `JsonSyntaxError` before it is composed, because composing it
 * would overflow the stack and may end the process. A document of too many tokens is refused with 413.
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
    tokens += token === "\n" ? 0 : 1; // line ends are already counted
    if (tokens > maxTokens) throw tooLarge(`Request entity too large: limit is ${maxTokens} tokens of YAML`);
    if (parser.stack.length > maxDepth) throw tooDeep(lines.linePos(parser.offset).line);
    if (slice.over) await slice.pause();
  }
  return lastDocument(parser, composer);
}

/** Returns the number of line ends, up to the limit of tokens. */
function linesOf(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && count <= maxTokens; at = text.indexOf("\n", at + 1))
    count += 1;
  return count;
}

function tooDeep(line: number): JsonSyntaxError {
  return new JsonSyntaxError(`yaml: ${line > 1 ? `line ${line}: ` : ""}exceeded max depth of 10000`);
}

/** Returns the documents that a token completes. */
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
 * Runs without stack traces. The library creates an error for every problem of a document, and only the first is used.
 * Stack traces would take ten times as long as the rest.
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
