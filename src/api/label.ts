/**
 * An error in a string with its position, for messages such as "expected a letter or digit at character 3, got "!"".
 */
export interface LabelProblem {
  readonly expected: string;
  readonly got: string;
  /** Offset of the first invalid character, from 0. */
  readonly at: number;
}

const maxNameLength = 63;
const maxPrefixLength = 253;

/**
 * Returns the error of a label key, or `undefined`. A key is a name, or a DNS subdomain, `/` and a name. A name has 1
 * to 63 letters, digits, `-`, `_` and `.`, and starts and ends with a letter or digit. Annotation keys follow the same
 * rules.
 */
export function labelKeyProblem(key: string): LabelProblem | undefined {
  const slash = key.indexOf("/");
  if (slash < 0) return nameProblem(key, 0, "label key");
  return (
    prefixProblem(key.slice(0, slash)) ??
    nameProblem(key.slice(slash + 1), slash + 1, "label key after its prefix")
  );
}

/** Returns the error of a label value, or `undefined`. A value is empty or has the form of a key's name. */
export function labelValueProblem(value: string): LabelProblem | undefined {
  return value === "" ? undefined : nameProblem(value, 0, "label value");
}

function nameProblem(name: string, offset: number, what: string): LabelProblem | undefined {
  if (name === "") return { expected: `a ${what}`, got: "nothing", at: offset };
  if (name.length > maxNameLength) {
    return {
      expected: `a ${what} of at most ${maxNameLength} characters`,
      got: `${name.length}`,
      at: offset + maxNameLength,
    };
  }
  const wrong = name.search(/[^-A-Za-z0-9_.]/);
  if (wrong >= 0)
    return characterProblem(name, wrong, {
      offset,
      expected: `a letter, digit, "-", "_" or "." in a ${what}`,
    });
  const edge = edgeProblem(name);
  return edge < 0
    ? undefined
    : characterProblem(name, edge, {
        offset,
        expected: `a letter or digit at the start and end of a ${what}`,
      });
}

/** Returns the offset of a first or last character that is not a letter or digit, or -1. */
function edgeProblem(name: string): number {
  if (!/^[A-Za-z0-9]/.test(name)) return 0;
  return /[A-Za-z0-9]$/.test(name) ? -1 : name.length - 1;
}

function prefixProblem(prefix: string): LabelProblem | undefined {
  if (prefix === "")
    return { expected: "a DNS subdomain before the / of a label key", got: "nothing", at: 0 };
  if (prefix.length > maxPrefixLength) {
    const expected = `a prefix of at most ${maxPrefixLength} characters before the / of a label key`;
    return { expected, got: `${prefix.length}`, at: maxPrefixLength };
  }
  const at = subdomainProblem(prefix);
  const expected = "lower case letters, digits and inner - between the dots of the prefix of a label key";
  return at < 0 ? undefined : characterProblem(`${prefix}/`, at, { offset: 0, expected });
}

/** Returns the offset of the first character that is invalid in a DNS subdomain, or -1. */
function subdomainProblem(prefix: string): number {
  let start = 0;
  for (const part of prefix.split(".")) {
    const wrong = part === "" ? 0 : part.search(/[^-a-z0-9]|^-|-$/);
    if (wrong >= 0) return start + wrong;
    start += part.length + 1;
  }
  return -1;
}

function characterProblem(
  text: string,
  at: number,
  { offset, expected }: { offset: number; expected: string },
): LabelProblem {
  return { expected, got: JSON.stringify(text[at] ?? ""), at: offset + at };
}
