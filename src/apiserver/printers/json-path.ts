import { filterStep } from "./json-path-filter.ts";
import { childrenOf, descendantsOf, fieldOf, type JsonPath, sliceOf, unescaped } from "./json-path-steps.ts";

/**
 * Parses a JSONPath of a printer column:
 *
 *     path      = *( "." name | ".." [ name ] | ".*" | "[" subscript *( "," subscript ) "]" )
 *     subscript = "'" key "'" | "*" | [ start ] [ ":" [ end ] [ ":" step ] ] | "?(" filter ")"
 *     filter    = operand [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) operand ]
 *     operand   = "@" path | number | "true" | "false" | quoted
 *
 * A backslash escapes the next character. Missing values are omitted from the result and are never an error. Returns
 * `undefined` if the text is not a valid path.
 */
export function parseJsonPath(text: string): JsonPath | undefined {
  const steps: JsonPath[] = [];
  for (let rest = text; rest !== "" && !rest.startsWith("}"); ) {
    const next = nextStep(rest);
    if (!next) return undefined;
    steps.push(next.step);
    rest = rest.slice(next.length);
  }
  return (value) => steps.reduce<readonly unknown[]>((values, step) => values.flatMap(step), [value]);
}

interface ParsedStep {
  readonly step: JsonPath;
  /** Number of characters that the step consumed. */
  readonly length: number;
}

const namePattern = /^(?:\\.|[^\\ ,.[\]}])+/s;
const subscriptPattern = /^\[((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\]'"])*)\]/s;

function nextStep(text: string): ParsedStep | undefined {
  // A name after two dots is a separate step, which starts at the second dot.
  if (text.startsWith("..")) return { step: descendantsOf, length: namePattern.test(text.slice(2)) ? 1 : 2 };
  if (text.startsWith(".")) return fieldStep(text);
  const [match, content] = subscriptPattern.exec(text) ?? [];
  const step = content === undefined ? undefined : unionStep(content);
  return step && { step, length: match?.length ?? 0 };
}

function fieldStep(text: string): ParsedStep {
  const [name = ""] = namePattern.exec(text.slice(1)) ?? [];
  return { step: name === "*" ? childrenOf : fieldOf(unescaped(name)), length: name.length + 1 };
}

function unionStep(content: string): JsonPath | undefined {
  const parts = partsOf(content).map(subscriptStep);
  const valid = parts.filter((part) => part !== undefined);
  if (valid.length < parts.length) return undefined;
  return (value) => valid.flatMap((part) => part(value));
}

/** Splits at commas that are not in quotes or parentheses. */
function partsOf(content: string): string[] {
  if (content.startsWith("?")) return [content];
  return content.match(/(?:'(?:\\.|[^'\\])*'|[^,'])+/gs) ?? [""];
}

function subscriptStep(text: string): JsonPath | undefined {
  if (text === "*") return childrenOf;
  const [, key] = /^'((?:\\.|[^'\\])*)'$/s.exec(text) ?? [];
  if (key !== undefined) return fieldOf(unescaped(key));
  const [, filter] = /^\?\((.*)\)$/s.exec(text) ?? [];
  if (filter !== undefined) return filterStep(filter, parseJsonPath);
  return sliceOf(text);
}
