import { conditionOf } from "../../api/index.ts";
import type { CustomResourceDefinitionCondition } from "../../api/types/apiextensions/v1.ts";

/** A condition without its transition time. */
export type ConditionState = Readonly<
  Required<Pick<CustomResourceDefinitionCondition, "type" | "status" | "reason" | "message">>
>;

/**
 * Returns the conditions with `next` added or replaced, like `withCondition`, with the fields in the order in which
 * kube-apiserver stores them.
 */
export function withStoredCondition(
  conditions: readonly CustomResourceDefinitionCondition[],
  next: ConditionState,
  now: string,
): CustomResourceDefinitionCondition[] {
  const old = conditionOf(conditions, next.type);
  const lastTransitionTime = old?.status === next.status ? (old.lastTransitionTime ?? now) : now;
  const { type, status, reason, message } = next;
  const condition = { type, status, lastTransitionTime, reason, message };
  if (!old) return [...conditions, condition];
  return conditions.map((one) => (one === old ? condition : one));
}
