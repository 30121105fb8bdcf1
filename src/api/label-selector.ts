import type { DeepReadonly } from "./draft.ts";
import { labelKeyProblem, labelValueProblem } from "./label.ts";
import { type LabelMatcher, matcherOf } from "./label-matcher.ts";
import type { LabelRequirement } from "./label-requirement.ts";

/**
 * A label selector in the spec of workloads and policies. All parts must hold; an empty selector selects everything.
 */
export interface LabelSelector {
  matchLabels?: Record<string, string> | undefined;
  matchExpressions?: LabelSelectorRequirement[] | undefined;
}

export interface LabelSelectorRequirement {
  key: string;
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  /** At least one value for `In` and `NotIn`, none for the others. */
  values?: string[] | undefined;
}

/**
 * Compiles a label selector of an object. As everywhere in Kubernetes, an empty selector matches everything, and a
 * missing one nothing.
 *
 * @throws {TypeError} with the path of the field, for a selector that the server would refuse
 */
export function selectorMatcher(selector: DeepReadonly<LabelSelector> | undefined): LabelMatcher {
  if (!selector) return matchesNothing;
  const pairs = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => pair(key, value));
  return matcherOf([...pairs, ...(selector.matchExpressions ?? []).map(requirement)]);
}

/** Matches nothing. Its text is a contradiction, because no selector expresses this. */
const matchesNothing: LabelMatcher = {
  matches: () => false,
  text: "!nothing,nothing",
  requirements: [
    { key: "nothing", operator: "absent", values: [] },
    { key: "nothing", operator: "exists", values: [] },
  ],
};

const operators = { In: "in", NotIn: "notin", Exists: "exists", DoesNotExist: "absent" } as const;

function pair(key: string, value: string): LabelRequirement {
  const path = `matchLabels[${JSON.stringify(key)}]`;
  check(path, labelKeyProblem(key) ?? labelValueProblem(value));
  return { key, operator: "=", values: [value] };
}

function requirement(
  { key, operator, values = [] }: DeepReadonly<LabelSelectorRequirement>,
  index: number,
): LabelRequirement {
  const path = `matchExpressions[${index}]`;
  check(`${path}.key`, labelKeyProblem(key));
  // The type allows only valid operators, but a user's YAML may have any value.
  const parsedOperator: LabelRequirement["operator"] | undefined = operators[operator];
  if (!parsedOperator)
    throw selectorError(`${path}.operator`, Object.keys(operators).join(", "), JSON.stringify(operator));
  checkCount(`${path}.values`, operator, values.length);
  for (const [at, value] of values.entries()) check(`${path}.values[${at}]`, labelValueProblem(value));
  return { key, operator: parsedOperator, values: [...new Set(values)].sort() };
}

function checkCount(path: string, operator: LabelSelectorRequirement["operator"], count: number): void {
  const needsValues = operator === "In" || operator === "NotIn";
  if (needsValues === count > 0) return;
  throw selectorError(
    path,
    `${needsValues ? "at least one value" : "no values"} with operator ${operator}`,
    `${count}`,
  );
}

function check(path: string, problem: ReturnType<typeof labelKeyProblem>): void {
  if (problem) throw selectorError(path, `${problem.expected} at character ${problem.at + 1}`, problem.got);
}

function selectorError(path: string, expected: string, got: string): TypeError {
  return new TypeError(`expected ${expected} in label selector ${path}, got ${got}`);
}
