import {
  type AnyCondition,
  type Condition,
  conditionOf,
  type DeepReadonly,
  type KubeObject,
} from "../api/index.ts";
import { timestamp } from "../base/index.ts";

/** A condition as it is applied: without `lastTransitionTime`, the client sets it. */
export interface AppliedCondition extends Omit<Condition, "lastTransitionTime" | "status"> {
  readonly status: string;
  readonly lastTransitionTime?: string | undefined;
}

/** Returns the conditions of a status that the client has to complete, if any of them has no `lastTransitionTime`. */
export function incompleteConditions(status: unknown): readonly AppliedCondition[] | undefined {
  const { conditions } = (status ?? {}) as { readonly conditions?: readonly AppliedCondition[] };
  if (!Array.isArray(conditions)) return undefined;
  return conditions.some((each) => each.lastTransitionTime === undefined) ? conditions : undefined;
}

/** Returns true if an object has every one of the conditions, with the time of its last change. */
export function hasConditions(
  object: DeepReadonly<KubeObject> | undefined,
  conditions: readonly AppliedCondition[],
): boolean {
  const current = conditionsOf(object);
  return conditions.every(({ type }) => conditionOf(current, type)?.lastTransitionTime !== undefined);
}

export interface Completion {
  /** The object with the conditions before the apply. */
  readonly current: DeepReadonly<KubeObject> | undefined;
  /** The generation that the conditions are based on. `undefined` if they have no `observedGeneration`. */
  readonly generation: number | undefined;
  readonly nowMs: number;
}

/**
 * Returns the conditions with `lastTransitionTime`, which is kept unless the status changes, and `observedGeneration`.
 * Fields that are set stay as they are.
 */
export function completedConditions(
  conditions: readonly AppliedCondition[],
  { current, generation, nowMs }: Completion,
): AppliedCondition[] {
  const before = conditionsOf(current);
  return conditions.map((next) => {
    const known = conditionOf(before, next.type);
    const kept = known?.status === next.status ? known.lastTransitionTime : undefined;
    const observed = generation === undefined ? {} : { observedGeneration: generation };
    return { ...observed, ...next, lastTransitionTime: next.lastTransitionTime ?? kept ?? timestamp(nowMs) };
  });
}

function conditionsOf(object: DeepReadonly<KubeObject> | undefined): readonly AnyCondition[] | undefined {
  const { status } = (object ?? {}) as {
    readonly status?: { readonly conditions?: readonly AnyCondition[] };
  };
  return status?.conditions;
}
