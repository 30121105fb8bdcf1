/**
 * Sees when controllers go round in circles: writes that bring themselves about, that change nothing, that the server or
 * somebody else undoes, that are refused too often, and keys that ask for themselves too often.
 *
 * It promises to tell of each cause once with what to do, to count it, to remember a bounded part of what it saw, and to
 * change nothing: where it is wrong, a controller works as before. What goes on slower than every ten minutes it does not see.
 *
 * @module
 */
export { Detector, type DetectorOptions } from "./detector.ts";
export { type FieldChange, fieldChanges, pathText, valueText } from "./field-changes.ts";
export type { DetectorLimits } from "./limits.ts";
export type { Monitor } from "./monitor.ts";
export { type Asked, Observation } from "./observation.ts";
export type { Write, WriteObserver, WriteVerb } from "./write.ts";
