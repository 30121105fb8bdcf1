import { isInt64, type LabelRequirement, parseLabelRequirements } from "./label-requirement.ts";

/** Labels as objects carry them. */
export type Labels = Readonly<Record<string, string>>;

/** Says which labels a selector wants. Made once, asked often: asking allocates nothing. */
export interface LabelMatcher {
  /** Whether labels satisfy every requirement. None are as an empty set. */
  matches(labels: Labels | undefined): boolean;
  /** The selector as Kubernetes prints it, requirements ordered by key: equal texts select the same labels. */
  readonly text: string;
  readonly requirements: readonly LabelRequirement[];
}

/**
 * The matcher of a selector: pairs that must all be there, or Kubernetes' selector language.
 *
 *     labelMatcher({ app: "web" }).matches(pod.metadata.labels)
 *     labelMatcher("tier in (web, api), !canary").text         // "!canary,tier in (api,web)"
 *
 * Throws `SelectorError` with the character at fault for a text that is not in the language. Pairs are taken as they
 * are: no object has labels that break the rules, so such a pair matches nothing.
 */
export function labelMatcher(selector: string | Labels): LabelMatcher {
  return matcherOf(typeof selector === "string" ? parseLabelRequirements(selector) : pairs(selector));
}

/** The matcher of all these requirements together. */
export function matcherOf(requirements: readonly LabelRequirement[]): LabelMatcher {
  const sorted = [...requirements].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return { matches: matchAll(sorted), text: sorted.map(print).join(","), requirements: sorted };
}

function pairs(labels: Labels): LabelRequirement[] {
  return Object.entries(labels).map(([key, value]) => ({ key, operator: "=", values: [value] }));
}

function print({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case "exists":
      return key;
    case "absent":
      return `!${key}`;
    case "in":
    case "notin":
      return `${key} ${operator} (${values.join(",")})`;
    default:
      return `${key}${operator}${values[0]}`;
  }
}

type LabelTest = (labels: Labels) => boolean;

const noLabels: Labels = Object.freeze({});

function matchAll(requirements: readonly LabelRequirement[]): LabelMatcher["matches"] {
  if (requirements.every(({ operator }) => operator === "=")) return matchPairs(requirements);
  const tests = requirements.map(testOf);
  return (labels = noLabels) => {
    for (const test of tests) if (!test(labels)) return false;
    return true;
  };
}

/** By far the most selectors are pairs. */
function matchPairs(requirements: readonly LabelRequirement[]): LabelMatcher["matches"] {
  const keys = requirements.map(({ key }) => key);
  const values = requirements.map(({ values }) => values[0]);
  return (labels = noLabels) => {
    for (let at = 0; at < keys.length; at++) if (labels[keys[at] as string] !== values[at]) return false;
    return true;
  };
}

/** Every test compares with strings, so that what objects inherit (`constructor`) is never taken for a label. */
function testOf({ key, operator, values }: LabelRequirement): LabelTest {
  const [value] = values;
  const set = new Set<unknown>(values);
  switch (operator) {
    case "=":
      return (labels) => labels[key] === value;
    case "!=":
      return (labels) => labels[key] !== value;
    case "in":
      return (labels) => set.has(labels[key]);
    case "notin":
      return (labels) => !set.has(labels[key]);
    case "exists":
      return (labels) => typeof labels[key] === "string";
    case "absent":
      return (labels) => typeof labels[key] !== "string";
    default:
      return order(key, operator, BigInt(value ?? 0));
  }
}

/** Holds only for a label that is an integer Kubernetes can read. */
function order(key: string, operator: ">" | "<", bound: bigint): LabelTest {
  return (labels) => {
    const value = labels[key];
    if (typeof value !== "string" || !isInt64(value)) return false;
    return operator === ">" ? BigInt(value) > bound : BigInt(value) < bound;
  };
}
