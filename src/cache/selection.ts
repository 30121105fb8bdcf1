import { type LabelMatcher, labelMatcher, selectorMatcher } from "../api/index.ts";
import type { ListOptions } from "../client/index.ts";

/** Which objects of a kind to read. */
export type Selection = Pick<ListOptions, "namespace" | "labels">;

/** Returns what matches the labels, or `undefined` if there is no label selector. */
export function matcherOf(labels: Selection["labels"]): LabelMatcher | undefined {
  if (labels === undefined || labels === "") return undefined;
  return typeof labels === "string" ? labelMatcher(labels) : selectorMatcher({ matchLabels: labels });
}
