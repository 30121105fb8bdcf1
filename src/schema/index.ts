/**
 * Schemas of Kubernetes objects: their fields, defaulting, pruning, decoding and validation.
 *
 * Results, messages and paths equal those of kube-apiserver of the pinned release. Functions do not modify their input,
 * terminate on input of any depth and size, and treat every key of an object as data.
 *
 * This folder does not know requests or storage. It does not evaluate CEL: validation rules are kept as data for the
 * CEL evaluator.
 *
 * @module
 */

export { applyDefaults } from "./apply-defaults.ts";
export { applyTypedDefaults } from "./apply-typed-defaults.ts";
export { canonicalQuantity, QuantityError } from "./canonical-quantity.ts";
export { canonicalMicroTime, canonicalTime, TimeError } from "./canonical-time.ts";
export { compileSchema } from "./compile-schema.ts";
export type { CompiledSchema, Pattern } from "./compiled-schema.ts";
export { conversionFault } from "./conversion-fault.ts";
export type { CrdRule, CrdSchema } from "./crd-schema.ts";
export { type DecodedCustom, decodeCustom } from "./decode-custom.ts";
export { decodeObjectMeta } from "./decode-object-meta.ts";
export { DecodeError, type StrictProblem, strictText } from "./decode-run.ts";
export { type DecodedTyped, type DecodeOptions, decodeTyped } from "./decode-typed.ts";
export { type EmbeddedErrorsOptions, embeddedErrors } from "./embedded-errors.ts";
export { encodeTyped, inFieldOrder } from "./encode-typed.ts";
export { equal } from "./equal.ts";
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
export { FieldPathError, type FieldPathOptions, type ResolvedPath, resolveFieldPath } from "./field-path.ts";
export { GoStruct, goFloat, goJson, goNumber, goQuoted } from "./go-text.ts";
export { fieldOf, isArray, isObject, type JsonObject, setField } from "./json-value.ts";
export { type ListErrorsOptions, listErrors } from "./list-errors.ts";
export { PatternError } from "./pattern.ts";
export { type Pruned, type PruneOptions, prune } from "./prune.ts";
export {
  type JsonDocument,
  type JsonNotes,
  type JsonOptions,
  JsonSyntaxError,
  readJson,
} from "./read-json.ts";
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
export { type StructuralErrorsOptions, structuralErrors } from "./structural-errors.ts";
export { structuralNode } from "./structural-node.ts";
export type { StructuralSchema, ValidationRule } from "./structural-schema.ts";
export { objectMetaNode, typedNode } from "./typed-node.ts";
export {
  objectMetaSchema,
  type Shape,
  type TypedField,
  type TypedSchema,
  typedSchema,
} from "./typed-schema.ts";
export { unrecognizedFormats } from "./unrecognized-formats.ts";
export { type ValidateOptions, validate } from "./validate.ts";
export { writeJson } from "./write-json.ts";
