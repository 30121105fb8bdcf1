import type { NameRule } from "./resource.ts";

/** What is wrong with a name by a rule, in Kubernetes' words. `prefix`: it is a generateName, something follows it. */
export function nameFaults(rule: NameRule, name: string, prefix = false): string[] {
  switch (rule) {
    case "dns-subdomain":
      return subdomainFaults(prefix ? masked(name) : name);
    case "dns-label":
      return labelFaults(prefix ? masked(name) : name);
    case "dns-1035-label":
      return label1035Faults(prefix ? masked(name) : name);
    case "path-segment":
      return segmentFaults(name, prefix);
  }
}

/** A prefix may end with a dash, since more follows; the real server passes over the character before it too. */
function masked(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith("-") ? `${prefix.slice(0, -2)}a` : prefix;
}

function subdomainFaults(name: string): string[] {
  return [...lengthFaults(name, 253, "characters"), ...patternFaults(name, subdomain)];
}

/** Of a domain that names are looked up in: its parts may have underscores. */
export function searchFaults(name: string): string[] {
  return [...lengthFaults(name, 253, "characters"), ...patternFaults(name, searchDomain)];
}

function labelFaults(name: string): string[] {
  const dotted = !label.pattern.test(name) && subdomain.pattern.test(name);
  const faults = dotted ? ["must not contain dots"] : patternFaults(name, label);
  return [...lengthFaults(name, 63, "characters"), ...faults];
}

function label1035Faults(name: string): string[] {
  return [...lengthFaults(name, 63, "characters"), ...patternFaults(name, label1035)];
}

function segmentFaults(name: string, prefix: boolean): string[] {
  if (!prefix && (name === "." || name === "..")) return [`may not be '${name}'`];
  return ["/", "%"]
    .filter((character) => name.includes(character))
    .map((character) => `may not contain '${character}'`);
}

/** Label keys, annotation keys, finalizers: a name, or a DNS subdomain, `/` and a name. */
export function qualifiedNameFaults(text: string): string[] {
  if (text.length <= 63 && shortQualifiedName.test(text)) return [];
  const parts = text.split("/");
  if (parts.length > 2) return [`a valid label key ${described(qualifiedName)} ${prefixNote}`];
  const [name = "", prefix] = [...parts].reverse();
  return [...prefixFaults(prefix), ...namePartFaults(name)];
}

const prefixNote = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";

function prefixFaults(prefix: string | undefined): string[] {
  if (prefix === undefined) return [];
  if (prefix === "") return ["prefix part must be non-empty"];
  const faults = [...lengthFaults(prefix, 253, "bytes"), ...patternFaults(prefix, subdomain)];
  return faults.map((fault) => `prefix part ${fault}`);
}

function namePartFaults(name: string): string[] {
  const empty = name === "" ? ["must be non-empty"] : [];
  const faults = [...empty, ...lengthFaults(name, 63, "bytes"), ...patternFaults(name, qualifiedName)];
  return faults.map((fault) => `name part ${fault}`);
}

export function labelValueFaults(value: string): string[] {
  return [...lengthFaults(value, 63, "bytes"), ...patternFaults(value, labelValue)];
}

/** Both words mean bytes: the real server uses one for names and the other for labels. */
function lengthFaults(text: string, most: number, unit: "bytes" | "characters"): string[] {
  return Buffer.byteLength(text) > most ? [`must be no more than ${most} ${unit}`] : [];
}

/** A pattern as Kubernetes describes it to people. */
interface DescribedPattern {
  readonly pattern: RegExp;
  readonly regex: string;
  readonly says: string;
  readonly examples: readonly string[];
}

function patternFaults(text: string, wanted: DescribedPattern): string[] {
  return wanted.pattern.test(text) ? [] : [described(wanted)];
}

function described({ says, regex, examples }: DescribedPattern): string {
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  return `${says} (e.g. ${shown}regex used for validation is '${regex}')`;
}

function rule(regex: string, says: string, ...examples: string[]): DescribedPattern {
  return { pattern: new RegExp(`^(?:${regex})$`), regex, says, examples };
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

/** Nearly all are like this: short enough for either part, so that they need not be taken apart. */
const shortQualifiedName = new RegExp(`^(?:(?:${subdomain.regex})/)?(?:${qualifiedName.regex})$`);

const labelValue = rule(
  "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?",
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  "MyValue",
  "my_value",
  "12345",
);
