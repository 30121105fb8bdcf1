import type { Kind } from "../api/index.ts";
import type { Controller } from "../controller/index.ts";

/** A kind that a controller watches, and its view. */
export interface DeclaredKind {
  readonly kind: Kind;
  readonly view?: Controller["options"]["view"];
}

/**
 * Returns the kinds that a controller watches in its manager's cluster: the primary kind first, then the kinds of its
 * triggers.
 */
export function declaredKinds({ options }: Controller): DeclaredKind[] {
  const { for: kind, view, on = [] } = options;
  const others = on.flatMap((trigger) =>
    (trigger.type === "owns" || trigger.type === "watches") && !trigger.cluster ? [trigger] : [],
  );
  return [{ kind, view }, ...others];
}
