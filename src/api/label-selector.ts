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
