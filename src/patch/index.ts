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
export { type ApplyResult, type ApplyWrite, apply } from "./managed/apply.ts";
export { type Comparison, compareTyped } from "./managed/compare-typed.ts";
export { FieldSet } from "./managed/field-set.ts";
export { fieldsOf } from "./managed/fields-of.ts";
export { type FieldsV1, parseFields, printFields } from "./managed/fields-v1.ts";
export { ignoreManagedFieldsTimestamps } from "./managed/ignore-managed-fields-timestamps.ts";
export { managersFault } from "./managed/managers.ts";
export { mergeTyped } from "./managed/merge-typed.ts";
export { removePaths } from "./managed/remove-paths.ts";
export { fromScaleManagers, type ScaleMapping, toScaleManagers } from "./managed/scale-managers.ts";
export { trackUpdate, type UpdateWrite } from "./managed/track-update.ts";
export type { Write } from "./managed/write.ts";
export { applyJsonPatch } from "./patches/json-patch.ts";
export { unknownOperationMembers } from "./patches/json-patch-operations.ts";
export { applyMergePatch } from "./patches/merge-patch.ts";
export { PatchError, type PatchFailure } from "./patches/patch-error.ts";
export type { PatchOptions } from "./patches/patch-options.ts";
export { applyStrategicPatch } from "./patches/strategic-patch.ts";
export { strategicPatchText } from "./patches/strategic-text.ts";
export {
  type FieldElement,
  type FieldPath,
  fieldElement,
  keyElement,
  printPath,
  valueElement,
} from "./values/field-element.ts";
export { TypedError } from "./values/typed-error.ts";
