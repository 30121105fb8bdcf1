/** One aspect of an object's state, as `status.conditions` lists it: one entry for each `type`. */
export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  /** One CamelCase word. */
  reason: string;
  message: string;
  /** When `status` last changed. RFC 3339. */
  lastTransitionTime: string;
  /** The `metadata.generation` this was concluded from. */
  observedGeneration?: number | undefined;
}

/** What the conditions of all kinds share: older kinds have their own, with other fields and optional ones. */
export interface AnyCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | undefined;
}

/**
 * The list with `next` in it, in the place of the one of its type, or last. `lastTransitionTime` becomes `at` where
 * the status differs from before, and else stays.
 *
 * @param at the present time, RFC 3339
 */
export function withCondition<C extends AnyCondition = Condition>(
  conditions: readonly C[] | undefined,
  next: NoInfer<Omit<C, "lastTransitionTime">>,
  at: string,
): C[] {
  // `Omit` of a type parameter is opaque to the compiler; with the time put back it is a `C`.
  const wanted = { ...next, lastTransitionTime: at } as AnyCondition as C;
  const current = conditionOf(conditions, wanted.type);
  if (!current) return [...(conditions ?? []), wanted];
  if (current.status === wanted.status && current.lastTransitionTime) {
    wanted.lastTransitionTime = current.lastTransitionTime;
  }
  return (conditions ?? []).map((one) => (one === current ? wanted : one));
}

/** The condition of that type, if there is one. */
export function conditionOf<C extends AnyCondition>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition of that type is there, with status `"True"`. */
export function isTrue(conditions: readonly AnyCondition[] | undefined, type: string): boolean {
  return conditionOf(conditions, type)?.status === "True";
}
