import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from "../../api/types/apiextensions/v1.ts";

/** A condition without its transition time. */
export type ConditionState = Readonly<
  Required<Pick<CustomResourceDefinitionCondition, "type" | "status" | "reason" | "message">>
>;

/** Returns true if the condition `type` has status `True`. */
export function hasCondition({ status }: CustomResourceDefinition, type: string): boolean {
  return status?.conditions?.some((one) => one.type === type && one.status === "True") ?? false;
}

/** Returns the conditions with `next` added or replaced. The transition time changes only with the status. */
export function withCondition(
  conditions: readonly CustomResourceDefinitionCondition[],
  next: ConditionState,
  now: string,
): CustomResourceDefinitionCondition[] {
  const old = conditions.find(({ type }) => type === next.type);
  const lastTransitionTime = old?.status === next.status ? (old.lastTransitionTime ?? now) : now;
  const { type, status, reason, message } = next;
  const condition = { type, status, lastTransitionTime: lastTransitionTime, reason, message };
  if (!old) return [...conditions, condition];
  return conditions.map((one) => (one === old ? condition : one));
}
