import { SelectorError } from "./selector-error.ts";

/** Returns the value of a field such as `status.phase`. A missing field counts as empty. */
export type FieldReader = (field: string) => string | undefined;

/** A compiled field selector. Create it once and use it many times. */
export interface FieldMatcher {
  matches(read: FieldReader): boolean;
  /** The selector as Kubernetes prints it, sorted: equal texts select the same objects. */
  readonly text: string;
  readonly requirements: readonly FieldRequirement[];
}

export interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/**
 * Compiles a field selector: pairs that must all be equal, or Kubernetes' syntax of `field=value`, `==` and `!=` joined
 * by commas, with `\` before `\`, `,` and `=` in a value. White space is significant.
 *
 * Does not check whether the fields exist, because they depend on the kind.
 *
 * @throws {SelectorError} with the position of the invalid character
 */
export function fieldMatcher(selector: string | Readonly<Record<string, string>>): FieldMatcher {
  const requirements = typeof selector === "string" ? parse(selector) : pairs(selector);
  const printed = requirements.map((requirement) => ({ requirement, text: print(requirement) }));
  printed.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  const sorted = printed.map(({ requirement }) => requirement);
  return { matches: matchAll(sorted), text: printed.map(({ text }) => text).join(","), requirements: sorted };
}

function matchAll(requirements: readonly FieldRequirement[]): FieldMatcher["matches"] {
  return (read) => {
    for (const { field, operator, value } of requirements) {
      if (((read(field) ?? "") === value) !== (operator === "=")) return false;
    }
    return true;
  };
}

function pairs(fields: Readonly<Record<string, string>>): FieldRequirement[] {
  return Object.entries(fields).map(([field, value]) => ({ field, operator: "=", value }));
}

function print({ field, operator, value }: FieldRequirement): string {
  return `${field}${operator}${value.replace(/[\\,=]/g, "\\$&")}`;
}

/** Parses the terms. Ignores empty terms, so a trailing comma is allowed. */
function parse(text: string): FieldRequirement[] {
  return [...text.matchAll(/(?:[^\\,]|\\.?)+/gs)]
    .map((term) => requirement(text, term[0], term.index))
    .filter(({ field, value }) => field !== "" || value !== "");
}

function requirement(text: string, term: string, at: number): FieldRequirement {
  const found = /!=|==|=/.exec(term);
  if (!found) {
    const got = JSON.stringify(term);
    throw new SelectorError("field", text, { expected: "a field, then =, == or !=, then a value", got, at });
  }
  const start = found.index + found[0].length;
  const value = unescaped(text, term.slice(start), at + start);
  return { field: term.slice(0, found.index), operator: found[0] === "!=" ? "!=" : "=", value };
}

function unescaped(text: string, value: string, offset: number): string {
  return value.replace(/\\(.?)|=/gs, (match, escaped: string | undefined, at: number) => {
    if (escaped !== undefined && escaped !== "" && "\\,=".includes(escaped)) return escaped;
    const expected = match === "=" ? `"\\=" for a = in a value` : `"\\\\", "\\," or "\\="`;
    throw new SelectorError("field", text, { expected, got: JSON.stringify(match), at: offset + at });
  });
}
