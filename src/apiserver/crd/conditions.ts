import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
} from "../../api/types/apiextensions/v1.ts";

/** A condition but for the time it began. */
export type ConditionState = Readonly<
  Required<Pick<CustomResourceDefinitionCondition, "type" | "status" | "reason" | "message">>
>;

export function holds({ status }: CustomResourceDefinition, type: string): boolean {
  return status?.conditions?.some((one) => one.type === type && one.status === "True") ?? false;
}

/** The conditions with one more or changed. A time changes with the status alone. */
export function withCondition(
  conditions: readonly CustomResourceDefinitionCondition[],
  next: ConditionState,
  now: string,
): CustomResourceDefinitionCondition[] {
  const old = conditions.find(({ type }) => type === next.type);
  const began = old?.status === next.status ? (old.lastTransitionTime ?? now) : now;
  const { type, status, reason, message } = next;
  const condition = { type, status, lastTransitionTime: began, reason, message };
  if (!old) return [...conditions, condition];
  return conditions.map((one) => (one === old ? condition : one));
}
