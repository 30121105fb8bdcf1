import {
  type AnyCondition,
  type Condition,
  conditionOf,
  type DeepReadonly,
  type KubeObject,
} from "../api/index.ts";
import { type Clock, realClock, timestamp } from "../base/index.ts";
import type { ConditionSchema } from "./condition-schemas.ts";

/** A condition as it is applied: without `lastTransitionTime`, the client sets it. */
export interface AppliedCondition extends Omit<Condition, "lastTransitionTime" | "status"> {
  readonly status: string;
  readonly lastTransitionTime?: string | undefined;
}

export interface StatusSources {
  readonly schema: () => Promise<ConditionSchema>;
  /** Reads the object from the server. */
  readonly read: () => Promise<KubeObject | undefined>;
  /** The newest object that the caller has read. */
  readonly current: DeepReadonly<KubeObject> | undefined;
  /** The metadata of the object that the status is based on, if the caller passed it. */
  readonly target: { readonly generation?: number | undefined } | undefined;
  readonly clock: Clock | undefined;
}

/** Returns the status with complete conditions. Reads the schema and the object only if a condition is incomplete. */
export async function completedStatus(status: unknown, sources: StatusSources): Promise<unknown> {
  const conditions = incompleteConditions(status);
  if (!conditions) return status;
  const { observedGeneration } = await sources.schema();
  const known = hasConditions(sources.current, conditions) ? sources.current : undefined;
  const current = known ?? (await sources.read());
  const observed = sources.target?.generation ?? current?.metadata.generation;
  const generation = observedGeneration ? observed : undefined;
  const nowMs = (sources.clock ?? realClock).now();
  const completed = completedConditions(conditions, { current, generation, nowMs });
  return { ...(status as object), conditions: completed };
}

/** Returns the conditions of a status that the client has to complete, if any of them has no `lastTransitionTime`. */
function incompleteConditions(status: unknown): readonly AppliedCondition[] | undefined {
  const { conditions } = (status ?? {}) as { readonly conditions?: readonly AppliedCondition[] };
  if (!Array.isArray(conditions)) return undefined;
  return conditions.some((each) => each.lastTransitionTime === undefined) ? conditions : undefined;
}

/** Returns true if an object has every one of the conditions, with the time of its last change. */
function hasConditions(
  object: DeepReadonly<KubeObject> | undefined,
  conditions: readonly AppliedCondition[],
): boolean {
  const current = conditionsOf(object);
  return conditions.every(({ type }) => conditionOf(current, type)?.lastTransitionTime !== undefined);
}

interface Completion {
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
function completedConditions(
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
