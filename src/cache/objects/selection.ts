import { type LabelMatcher, labelMatcher, selectorMatcher } from "../../api/index.ts";
import type { ListOptions } from "../../client/index.ts";

/** Selects objects of a kind. */
export type Selection = Pick<ListOptions, "namespace" | "labels">;

/** Returns a matcher of the labels, or `undefined` without a label selector. */
export function matcherOf(labels: Selection["labels"]): LabelMatcher | undefined {
  if (labels === undefined || labels === "") return undefined;
  return typeof labels === "string" ? labelMatcher(labels) : selectorMatcher({ matchLabels: labels });
}
