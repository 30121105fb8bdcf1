/**
 * What a write makes of an object: JSON, merge and strategic merge patches, server-side apply, and who owns which fields.
 *
 * It promises to answer as a kube-apiserver of the pinned release answers, in its texts and in the order of what it
 * prints; to change nothing it is given; to refuse what is nested too deeply instead of failing on it; and to take every
 * key of an object as data. It stores nothing, decides no defaults, and has no clock: the time is passed in.
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
export { applyJsonPatch } from "./json-patch.ts";
export { unknownStepMembers } from "./json-patch-steps.ts";
export { keepTimes } from "./keep-times.ts";
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
