import type { NameRule } from "../types/resource.ts";

/**
 * Returns the errors of a name by a rule, with the messages of Kubernetes. `prefix` is true for a generateName, which a
 * suffix follows.
 */
export function nameProblems(rule: NameRule, name: string, prefix = false): string[] {
  switch (rule) {
    case "dns-subdomain":
      return subdomainProblems(prefix ? masked(name) : name);
    case "dns-label":
      return labelProblems(prefix ? masked(name) : name);
    case "dns-1035-label":
      return label1035Problems(prefix ? masked(name) : name);
    case "path-segment":
      return segmentProblems(name, prefix);
  }
}

/**
 * Replaces the dash at the end of a prefix, which is allowed because a suffix follows. Like kube-apiserver, it replaces
 * the character before the dash, too.
 */
function masked(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith("-") ? `${prefix.slice(0, -2)}a` : prefix;
}

function subdomainProblems(name: string): string[] {
  return [...lengthProblems(name, 253, "characters"), ...patternProblems(name, subdomain)];
}

/** Returns the errors of a DNS search domain, whose labels may contain underscores. */
export function searchProblems(name: string): string[] {
  return [...lengthProblems(name, 253, "characters"), ...patternProblems(name, searchDomain)];
}

function labelProblems(name: string): string[] {
  const dotted = !label.pattern.test(name) && subdomain.pattern.test(name);
  const problems = dotted ? ["must not contain dots"] : patternProblems(name, label);
  return [...lengthProblems(name, 63, "characters"), ...problems];
}

function label1035Problems(name: string): string[] {
  return [...lengthProblems(name, 63, "characters"), ...patternProblems(name, label1035)];
}

function segmentProblems(name: string, prefix: boolean): string[] {
  if (!prefix && (name === "." || name === "..")) return [`may not be '${name}'`];
  return ["/", "%"]
    .filter((character) => name.includes(character))
    .map((character) => `may not contain '${character}'`);
}

/** Returns the errors of a label key, annotation key or finalizer: a name, or a DNS subdomain, `/` and a name. */
export function qualifiedNameProblems(text: string): string[] {
  if (text.length <= 63 && shortQualifiedName.test(text)) return [];
  const parts = text.split("/");
  if (parts.length > 2) return [`a valid label key ${described(qualifiedName)} ${prefixNote}`];
  const [name = "", prefix] = [...parts].reverse();
  return [...prefixProblems(prefix), ...namePartProblems(name)];
}

const prefixNote = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";

function prefixProblems(prefix: string | undefined): string[] {
  if (prefix === undefined) return [];
  if (prefix === "") return ["prefix part must be non-empty"];
  const problems = [...lengthProblems(prefix, 253, "bytes"), ...patternProblems(prefix, subdomain)];
  return problems.map((problem) => `prefix part ${problem}`);
}

function namePartProblems(name: string): string[] {
  const empty = name === "" ? ["must be non-empty"] : [];
  const problems = [...empty, ...lengthProblems(name, 63, "bytes"), ...patternProblems(name, qualifiedName)];
  return problems.map((problem) => `name part ${problem}`);
}

export function labelValueProblems(value: string): string[] {
  return [...lengthProblems(value, 63, "bytes"), ...patternProblems(value, labelValue)];
}

/**
 * Returns the error of a text that is too long. Both units are bytes: kube-apiserver says characters for names and
 * bytes for labels.
 */
function lengthProblems(text: string, max: number, unit: "bytes" | "characters"): string[] {
  return Buffer.byteLength(text) > max ? [`must be no more than ${max} ${unit}`] : [];
}

/** A pattern with the description that Kubernetes gives in errors. */
interface DescribedPattern {
  readonly pattern: RegExp;
  readonly regex: string;
  readonly description: string;
  readonly examples: readonly string[];
}

function patternProblems(text: string, pattern: DescribedPattern): string[] {
  return pattern.pattern.test(text) ? [] : [described(pattern)];
}

function described({ description, regex, examples }: DescribedPattern): string {
  const exampleText = examples.map((example) => `'${example}', `).join(" or ");
  return `${description} (e.g. ${exampleText}regex used for validation is '${regex}')`;
}

function rule(regex: string, description: string, ...examples: string[]): DescribedPattern {
  return { pattern: new RegExp(`^(?:${regex})$`), regex, description, examples };
}

const subdomain = rule(
  "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  "example.com",
);

const searchDomain = rule(
  "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*",
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  "example.com",
);

const label = rule(
  "[a-z0-9]([-a-z0-9]*[a-z0-9])?",
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  "my-name",
  "123-abc",
);

const label1035 = rule(
  "[a-z]([-a-z0-9]*[a-z0-9])?",
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  "my-name",
  "abc-123",
);

const qualifiedName = rule(
  "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]",
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  "MyName",
  "my.name",
  "123-abc",
);

/** Matches nearly all names: those that are short enough for either part and need no further checks. */
const shortQualifiedName = new RegExp(`^(?:(?:${subdomain.regex})/)?(?:${qualifiedName.regex})$`);

const labelValue = rule(
  "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  "MyValue",
  "my_value",
  "12345",
);
