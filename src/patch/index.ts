/**
 * Patches and field ownership: JSON patch, merge patch, strategic merge patch, server-side apply and managed fields.
 *
 * Results, messages and orders equal those of kube-apiserver of the pinned release. Functions do not modify their
 * input, refuse input that is nested too deeply, and treat every key of an object as data.
 *
 * This folder stores nothing, sets no defaults and has no clock: the caller passes the time.
 *
 * @module
 */
export { type ApplyResult, type ApplyWrite, apply } from "./apply.ts";
export { type Comparison, compareTyped } from "./compare-typed.ts";
export {
  type FieldElement,
  type FieldPath,
  fieldElement,
  keyElement,
  printPath,
  valueElement,
} from "./field-element.ts";
export { FieldSet } from "./field-set.ts";
export { fieldsOf } from "./fields-of.ts";
export { type FieldsV1, parseFields, printFields } from "./fields-v1.ts";
export { ignoreManagedFieldsTimestamps } from "./ignore-managed-fields-timestamps.ts";
export { applyJsonPatch } from "./json-patch.ts";
export { unknownOperationMembers } from "./json-patch-operations.ts";
export { applyMergePatch } from "./merge-patch.ts";
export { mergeTyped } from "./merge-typed.ts";
export { PatchError, type PatchFailure } from "./patch-error.ts";
export type { PatchOptions } from "./patch-options.ts";
export { removePaths } from "./remove-paths.ts";
export { fromScaleManagers, type ScaleMapping, toScaleManagers } from "./scale-managers.ts";
export { applyStrategicPatch } from "./strategic-patch.ts";
export { strategicPatchText } from "./strategic-text.ts";
export { trackUpdate, type UpdateWrite } from "./track-update.ts";
export { TypedError } from "./typed-error.ts";
export type { Write } from "./write.ts";
