/** One aspect of an object's state in `status.conditions`. There is one entry per `type`. */
export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  /** A reason in CamelCase. */
  reason: string;
  message: string;
  /** The time of the last change of `status`, RFC 3339. */
  lastTransitionTime: string;
  /** The `metadata.generation` that the condition is based on. */
  observedGeneration?: number | undefined;
}

/** The fields that conditions of all kinds share. Conditions of older kinds have other and optional fields. */
export interface AnyCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | undefined;
}

/**
 * Returns the conditions with `next` in place of the one of its type, or appended. Sets `lastTransitionTime` to `at` if
 * the status changes, and keeps it otherwise.
 *
 * @param at The current time, RFC 3339.
 */
export function withCondition<C extends AnyCondition = Condition>(
  conditions: readonly C[] | undefined,
  next: NoInfer<Omit<C, "lastTransitionTime">>,
  at: string,
): C[] {
  // `Omit` of a type parameter is opaque to the compiler. With the time added it is a `C`.
  const updated = { ...next, lastTransitionTime: at } as AnyCondition as C;
  const current = conditionOf(conditions, updated.type);
  if (!current) return [...(conditions ?? []), updated];
  if (current.status === updated.status && current.lastTransitionTime) {
    updated.lastTransitionTime = current.lastTransitionTime;
  }
  return (conditions ?? []).map((one) => (one === current ? updated : one));
}

/** Returns the condition of the type, or `undefined`. */
export function conditionOf<C extends AnyCondition>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Returns true if the condition of the type exists and has the status `"True"`. */
export function isTrue(conditions: readonly AnyCondition[] | undefined, type: string): boolean {
  return conditionOf(conditions, type)?.status === "True";
}

/** A condition to apply. The client adds the time and the generation: see `applyStatus`. */
export type NewCondition = Omit<Condition, "lastTransitionTime" | "observedGeneration">;

/**
 * Returns a condition to apply. `status` is a boolean, or `undefined` if it is unknown.
 *
 * ```ts
 * condition("CertificateReady", { status: expiresMs > context.now(), reason: "Issued" });
 * ```
 */
export function condition(type: string, { status, reason, message = "" }: ConditionState): NewCondition {
  return { type, status: statusText(status), reason, message };
}

export interface ConditionState {
  readonly status: boolean | undefined;
  /** A reason in CamelCase. */
  readonly reason: string;
  /** @default "" */
  readonly message?: string | undefined;
}

/** Returns the condition `Ready`: the object does what its spec says. */
export function ready(status: boolean | undefined, reason: string, message?: string): NewCondition {
  return condition("Ready", { status, reason, message });
}

/** Returns the condition `Available`: the object can be used, even if a change of it is in progress. */
export function available(status: boolean | undefined, reason: string, message?: string): NewCondition {
  return condition("Available", { status, reason, message });
}

/** Returns the condition `Progressing`: a change of the object is being carried out. */
export function progressing(status: boolean | undefined, reason: string, message?: string): NewCondition {
  return condition("Progressing", { status, reason, message });
}

/** Returns the condition `Degraded`: the object needs attention. */
export function degraded(status: boolean | undefined, reason: string, message?: string): NewCondition {
  return condition("Degraded", { status, reason, message });
}

function statusText(status: boolean | undefined): Condition["status"] {
  if (status === undefined) return "Unknown";
  return status ? "True" : "False";
}
