/**
 * The structure of objects: which fields there are, what they default to, what is pruned, what is refused.
 *
 * It promises to answer as a kube-apiserver of the pinned release answers, in its texts and paths; to change nothing
 * it is given; to end on any input, however deep or wide; and to take every key of an object as data. It knows
 * nothing of requests or storage, and evaluates no CEL: rules are kept as data for whoever does.
 *
 * @module
 */
export { compileSchema } from "./compile-schema.ts";
export type { CompiledSchema, Pattern } from "./compiled-schema.ts";
export { applyDefaults } from "./defaults.ts";
export { type EmbeddedErrorsOptions, embeddedErrors } from "./embedded-errors.ts";
export {
  aggregateText,
  blocksRules,
  duplicate,
  errorBody,
  errorText,
  type FieldError,
  type FieldErrorType,
  forbidden,
  type InvalidObject,
  internal,
  invalid,
  invalidMessage,
  notFound,
  notSupported,
  required,
  toCauses,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field-error.ts";
export { type ListErrorsOptions, listErrors } from "./list-errors.ts";
export { PatternError } from "./pattern.ts";
export { type Pruned, type PruneOptions, prune } from "./prune.ts";
export { SchemaTooDeepError } from "./schema-depth.ts";
export {
  atomicNode,
  child,
  deducedNode,
  elementOf,
  type ListNode,
  type ObjectNode,
  type PatchStrategy,
  type ScalarType,
  type SchemaNode,
} from "./schema-node.ts";
export { structuralNode } from "./structural-node.ts";
export type { StructuralSchema, ValidationRule } from "./structural-schema.ts";
export { objectMetaNode, typedNode } from "./typed-node.ts";
export { type ValidateOptions, validate } from "./validate.ts";
