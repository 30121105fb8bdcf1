import type { Problem } from "./place.ts";

/** The names of a custom kind. */
export interface Names {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[] | undefined;
}

/** Returns the names that an API server would refuse. Names are parts of paths. */
export function nameProblems({ group, version, kind, plural, shortNames = [] }: Names): Problem[] {
  const lower = "lower case letters and digits, such as";
  const short = shortNames.map((name, index) => labelProblems(`shortNames[${index}]`, name, `${lower} ws`));
  const labels = [
    labelProblems("version", version, `${lower} v1`),
    isLabel(kind.toLowerCase()) ? [] : [problem("kind", kind, "letters and digits, such as Website")],
    labelProblems("plural", plural, `${lower} websites`),
    ...short,
  ];
  const groups = isDomain(group)
    ? []
    : [problem("group", group, "a domain with at least one dot, such as example.dev")];
  return [...groups, ...labels.flat()];
}

function labelProblems(field: string, name: string, expected: string): Problem[] {
  return isLabel(name) ? [] : [problem(field, name, expected)];
}

function problem(field: string, got: string, expected: string): Problem {
  return { field, reason: `expected ${expected}, got ${JSON.stringify(got)}` };
}

/** Returns true for an RFC 1035 label in lower case. */
function isLabel(text: string): boolean {
  return text.length <= 63 && /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/.test(text);
}

/** Returns true for at least two RFC 1123 labels. */
function isDomain(text: string): boolean {
  const labels = text.split(".");
  return (
    text.length <= 253 &&
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(label))
  );
}
