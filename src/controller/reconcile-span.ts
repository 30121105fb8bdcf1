import type { Span, Tracer } from "../base/index.ts";
import { type Reason, reasonText } from "./reason.ts";
import type { ReconcileResult } from "./reconcile-meter.ts";
import type { RunId } from "./run-id.ts";

/** What is told of a reconcile. */
export interface TracedReconcile {
  readonly controller: string;
  /** Of the objects that it is for: "apps/v1 Deployment". */
  readonly kind: string;
  readonly key: string;
  /** As logs name it. */
  readonly id: RunId;
  readonly attempt: number;
  readonly reasons: readonly Reason[];
  /** How many reasons there were, including those that were merged or dropped. */
  readonly reasonCount: number;
  /** How long the key was in line. */
  readonly waitedMs: number;
}

/** Runs a reconcile as a span; its wait in line is a part of it, and so is all that is asked of the server in it. */
export function traceReconcile(
  tracer: Tracer,
  traced: TracedReconcile,
  work: (span: Span) => Promise<ReconcileResult>,
): Promise<ReconcileResult> {
  const { controller, kind, key, id, attempt, waitedMs } = traced;
  const of = { "trimtab.controller": controller, "trimtab.kind": kind, "trimtab.key": key };
  const attributes = (): Record<string, string | number | string[]> => ({
    ...of,
    "trimtab.reconcile": id.text,
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
