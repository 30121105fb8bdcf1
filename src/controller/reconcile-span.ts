import type { Span, Tracer } from "../base/index.ts";
import { type Reason, reasonText } from "./reason.ts";
import type { ReconcileId } from "./reconcile-context.ts";
import type { ReconcileResult } from "./reconcile-meter.ts";

/** The attributes of a reconcile's span. */
export interface TracedReconcile {
  readonly controller: string;
  /** Primary kind: "apps/v1 Deployment". */
  readonly kind: string;
  readonly key: string;
  /** The same id as in logs. */
  readonly id: ReconcileId;
  readonly attempt: number;
  readonly reasons: readonly Reason[];
  /** Number of reasons, including merged and dropped ones. */
  readonly reasonCount: number;
  /** Time that the key was queued. */
  readonly waitedMs: number;
}

/** Runs a reconcile as a span. The wait in the queue and the requests to the server are child spans. */
export function traceReconcile(
  tracer: Tracer,
  traced: TracedReconcile,
  work: (span: Span) => Promise<ReconcileResult>,
): Promise<ReconcileResult> {
  const { controller, kind, key, id, attempt, waitedMs } = traced;
  const of = { "trimtab.controller": controller, "trimtab.kind": kind, "trimtab.key": key };
  const attributes = (): Record<string, string | number | string[]> => ({
    ...of,
    "trimtab.reconcile_id": id.text,
    "trimtab.attempt": attempt,
    "trimtab.reasons": traced.reasons.map(reasonText),
    "trimtab.reason_count": traced.reasonCount,
  });
  return tracer.trace({ name: `reconcile ${controller}`, attributes }, async (span) => {
    tracer.record({ name: "queue wait", attributes: () => of }, waitedMs);
    const result = await work(span);
    span.set({ "trimtab.result": result });
    return result;
  });
}
