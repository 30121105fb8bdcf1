/**
 * Objects, kinds and keys: plain JSON data and pure functions on it.
 *
 * This folder implements the meaning of Kubernetes data (selectors, quantities, conditions, owners). Its functions do
 * not modify their input, and it imports nothing else of this package. It does not talk to a server and has no clock.
 *
 * The built-in kinds are generated, one module per group and version, and are imported as `trimtab/api/apps/v1`.
 * A group with a dotted name can be imported by its full name too: `trimtab/api/rbac.authorization.k8s.io/v1` is
 * `trimtab/api/rbac/v1`.
 *
 * @module
 */
export {
  type AnyCondition,
  available,
  type Condition,
  type ConditionState,
  condition,
  conditionOf,
  degraded,
  isTrue,
  type NewCondition,
  progressing,
  ready,
  withCondition,
} from "./condition.ts";
export type {
  ContentOf,
  DeepPartial,
  DeepReadonly,
  Draft,
  Frozen,
  IsCustom,
  New,
  NewMeta,
  Written,
} from "./draft.ts";
export { type Duration, parseDuration } from "./duration.ts";
export {
  type FieldMatcher,
  type FieldReader,
  type FieldRequirement,
  fieldMatcher,
} from "./field-matcher.ts";
export { type IntOrString, type PercentOptions, resolveIntOrPercent } from "./int-or-string.ts";
export { keyOf, keyText, type ObjectKey, parseKey } from "./key.ts";
export {
  type AnyKind,
  apiVersionOf,
  isDiscovered,
  type Kind,
  kind,
  kindName,
  metadataOnly,
  type ObjectOf,
} from "./kind.ts";
export { type LabelProblem, labelKeyProblem, labelValueProblem } from "./label.ts";
export { type LabelMatcher, type Labels, labelMatcher } from "./label-matcher.ts";
export type { LabelRequirement } from "./label-requirement.ts";
export { type LabelSelector, type LabelSelectorRequirement, selectorMatcher } from "./label-selector.ts";
export type {
  KubeObject,
  List,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
  PartialObject,
  Template,
  TemplateMeta,
  Unstructured,
} from "./object.ts";
export {
  controlledBy,
  controllerOf,
  isControlledBy,
  type Owned,
  type Owner,
  type OwnerOptions,
  withOwner,
} from "./owner.ts";
export {
  type Amount,
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  printQuantity,
  type Quantity,
} from "./quantity.ts";
export { compareResourceVersions, isNewer } from "./resource-version.ts";
export { SelectorError } from "./selector-error.ts";
export type { Status, StatusCause, StatusDetails } from "./status.ts";
