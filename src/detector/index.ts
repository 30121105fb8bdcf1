/**
 * Detects controllers that loop: writes that trigger themselves, that change nothing, or that the server or another
 * writer reverts; too many conflicts; and keys that are requeued too often.
 *
 * It promises to log each cause once with advice, to count it, to use bounded memory, and to change nothing: a wrong
 * finding does not affect the controller. It does not detect loops with more than ten minutes between two writes.
 *
 * @module
 */
export { Detector, type DetectorOptions } from "./detector.ts";
export { type FieldChange, fieldChanges, pathText, valueText } from "./field-changes.ts";
export type { DetectorLimits, Monitor } from "./monitor.ts";
export { ReconcileObserver, type ReconcileTrigger } from "./reconcile-observer.ts";
export type { Write, WriteObserver, WriteVerb } from "./write.ts";
