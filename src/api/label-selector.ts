import type { DeepReadonly } from "./draft.ts";
import { labelKeyFault, labelValueFault } from "./label.ts";
import { type LabelMatcher, matcherOf } from "./label-matcher.ts";
import type { LabelRequirement } from "./label-requirement.ts";

/** Which labels an object must have, as workloads and policies write it. All parts must hold; empty selects everything. */
export interface LabelSelector {
  matchLabels?: Record<string, string> | undefined;
  matchExpressions?: LabelSelectorRequirement[] | undefined;
}

export interface LabelSelectorRequirement {
  key: string;
  operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  /** At least one for `In` and `NotIn`, none for the others. */
  values?: string[] | undefined;
}

/**
 * The matcher of a selector as objects carry it. An empty one matches everything, and a missing one nothing, as
 * everywhere in Kubernetes. Throws, with the path of the field, for one that the server would refuse.
 */
export function selectorMatcher(selector: DeepReadonly<LabelSelector> | undefined): LabelMatcher {
  if (!selector) return nothing;
  const pairs = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => pair(key, value));
  return matcherOf([...pairs, ...(selector.matchExpressions ?? []).map(requirement)]);
}

/** Its text is a selector that no labels satisfy, for there is none that says so. */
const nothing: LabelMatcher = {
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
  check(path, labelKeyFault(key) ?? labelValueFault(value));
  return { key, operator: "=", values: [value] };
}

function requirement(
  { key, operator, values = [] }: DeepReadonly<LabelSelectorRequirement>,
  index: number,
): LabelRequirement {
  const path = `matchExpressions[${index}]`;
  check(`${path}.key`, labelKeyFault(key));
  // The type says what the server takes; what comes from a user's YAML may be anything.
  const known: LabelRequirement["operator"] | undefined = operators[operator];
  if (!known) throw mistake(`${path}.operator`, Object.keys(operators).join(", "), JSON.stringify(operator));
  checkCount(`${path}.values`, operator, values.length);
  for (const [at, value] of values.entries()) check(`${path}.values[${at}]`, labelValueFault(value));
  return { key, operator: known, values: [...new Set(values)].sort() };
}

function checkCount(path: string, operator: LabelSelectorRequirement["operator"], count: number): void {
  const wanted = operator === "In" || operator === "NotIn";
  if (wanted === count > 0) return;
  throw mistake(path, `${wanted ? "at least one value" : "no values"} with operator ${operator}`, `${count}`);
}

function check(path: string, fault: ReturnType<typeof labelKeyFault>): void {
  if (fault) throw mistake(path, `${fault.expected} at character ${fault.at + 1}`, fault.got);
}

function mistake(path: string, expected: string, got: string): TypeError {
  return new TypeError(`expected ${expected} in label selector ${path}, got ${got}`);
}
