import { isInt64, type LabelRequirement, parseLabelRequirements } from "./label-requirement.ts";

/** The labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** A compiled label selector. Create it once and use it many times: matching allocates nothing. */
export interface LabelMatcher {
  /** Returns true if labels satisfy every requirement. `undefined` counts as an empty set. */
  matches(labels: Labels | undefined): boolean;
  /** The selector as Kubernetes prints it, requirements sorted by key: equal texts select the same labels. */
  readonly text: string;
  readonly requirements: readonly LabelRequirement[];
}

/**
 * Compiles a label selector: pairs that must all be present, or Kubernetes' selector syntax.
 *
 *     labelMatcher({ app: "web" }).matches(pod.metadata.labels)
 *     labelMatcher("tier in (web, api), !canary").text         // "!canary,tier in (api,web)"
 *
 * Pairs are not validated: no object has invalid labels, so an invalid pair matches nothing.
 *
 * @throws {SelectorError} with the position of the invalid character, for a string that is not a selector
 */
export function labelMatcher(selector: string | Labels): LabelMatcher {
  return matcherOf(typeof selector === "string" ? parseLabelRequirements(selector) : pairs(selector));
}

/** Compiles requirements that must all hold. */
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

/** Compiles pairs, which are by far the most common selectors. */
function matchPairs(requirements: readonly LabelRequirement[]): LabelMatcher["matches"] {
  const keys = requirements.map(({ key }) => key);
  const values = requirements.map(({ values }) => values[0]);
  return (labels = noLabels) => {
    for (let at = 0; at < keys.length; at++) if (labels[keys[at] as string] !== values[at]) return false;
    return true;
  };
}

/**
 * Compiles one requirement. Every test compares with strings, so that inherited properties (`constructor`) are not
 * labels.
 */
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

/** Compiles a comparison, which holds only for a label that is an int64. */
function order(key: string, operator: ">" | "<", bound: bigint): LabelTest {
  return (labels) => {
    const value = labels[key];
    if (typeof value !== "string" || !isInt64(value)) return false;
    return operator === ">" ? BigInt(value) > bound : BigInt(value) < bound;
  };
}
