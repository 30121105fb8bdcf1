import { filterStep } from "./json-path-filter.ts";
import { childrenOf, descendantsOf, fieldOf, type JsonPath, sliceOf, unescaped } from "./json-path-steps.ts";

/**
 * Reads a path as printer columns write it:
 *
 *     path      = *( "." name | ".." [ name ] | ".*" | "[" subscript *( "," subscript ) "]" )
 *     subscript = "'" key "'" | "*" | [ start ] [ ":" [ end ] [ ":" step ] ] | "?(" filter ")"
 *     filter    = operand [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) operand ]
 *     operand   = "@" path | number | "true" | "false" | quoted
 *
 * A backslash takes the next character as it is. What is missing is left out of the result, which is never an error.
 * Gives nothing for text that is no path.
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

interface Read {
  readonly step: JsonPath;
  /** How much of the text it took. */
  readonly length: number;
}

const namePattern = /^(?:\\.|[^\\ ,.[\]}])+/s;
const subscriptPattern = /^\[((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\]'"])*)\]/s;

function nextStep(text: string): Read | undefined {
  // The name that may follow two dots is a step of its own, with a dot of its own.
  if (text.startsWith("..")) return { step: descendantsOf, length: namePattern.test(text.slice(2)) ? 1 : 2 };
  if (text.startsWith(".")) return fieldStep(text);
  const [whole, content] = subscriptPattern.exec(text) ?? [];
  const step = content === undefined ? undefined : unionStep(content);
  return step && { step, length: whole?.length ?? 0 };
}

function fieldStep(text: string): Read {
  const [name = ""] = namePattern.exec(text.slice(1)) ?? [];
  return { step: name === "*" ? childrenOf : fieldOf(unescaped(name)), length: name.length + 1 };
}

function unionStep(content: string): JsonPath | undefined {
  const parts = partsOf(content).map(subscriptStep);
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  return (value) => known.flatMap((part) => part(value));
}

/** What stands between commas that are not in quotes or parentheses. */
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
