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

export { applyDefaults } from "./decoding/apply-defaults.ts";
export { applyTypedDefaults } from "./decoding/apply-typed-defaults.ts";
export { conversionProblem } from "./decoding/conversion-problem.ts";
export { type DecodedCustom, decodeCustom } from "./decoding/decode-custom.ts";
export { decodeObjectMeta } from "./decoding/decode-object-meta.ts";
export { DecodeError, type StrictProblem, strictText } from "./decoding/decode-run.ts";
export { type DecodedTyped, type DecodeOptions, decodeTyped } from "./decoding/decode-typed.ts";
export { encodeTyped, inFieldOrder } from "./decoding/encode-typed.ts";
export { type Pruned, type PruneOptions, prune } from "./decoding/prune.ts";
export { canonicalMicroTime, canonicalTime, TimeError } from "./formats/canonical-time.ts";
export { QuantityError, storedQuantity } from "./formats/stored-quantity.ts";
export { columnErrors } from "./rules/column-errors.ts";
export { deprecationErrors } from "./rules/deprecation-errors.ts";
export { scalePathErrors } from "./rules/scale-path-errors.ts";
export { selectableFieldErrors } from "./rules/selectable-field-errors.ts";
export { type StructuralErrorsOptions, structuralErrors } from "./rules/structural-errors.ts";
export { unrecognizedFormats } from "./rules/unrecognized-formats.ts";
export type { CompiledSchema, Pattern } from "./structure/compiled-schema.ts";
export type { CrdRule, CrdSchema } from "./structure/crd-schema.ts";
export {
  FieldPathError,
  type FieldPathOptions,
  type ResolvedPath,
  resolveFieldPath,
} from "./structure/field-path.ts";
export { PatternError } from "./structure/pattern.ts";
export { SchemaTooDeepError } from "./structure/schema-depth.ts";
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
} from "./structure/schema-node.ts";
export { structuralNode } from "./structure/structural-node.ts";
export type { StructuralSchema, ValidationRule } from "./structure/structural-schema.ts";
export { objectMetaNode, typedNode } from "./structure/typed-node.ts";
export {
  objectMetaSchema,
  type Shape,
  type TypedField,
  type TypedSchema,
  typedSchema,
} from "./structure/typed-schema.ts";
export { compileSchema } from "./validation/compile-schema.ts";
export { type EmbeddedErrorsOptions, embeddedErrors } from "./validation/embedded-errors.ts";
export { type ListErrorsOptions, listErrors } from "./validation/list-errors.ts";
export { type ValidateOptions, validate } from "./validation/validate.ts";
export { compareBytes } from "./values/compare-bytes.ts";
export { equal } from "./values/equal.ts";
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
} from "./values/field-error.ts";
export { GoStruct, goFloat, goJson, goJsonString, goNumber, goQuoted } from "./values/go-text.ts";
export { goString, goSyntax, goTypeName, goValue, jsonTypeName } from "./values/go-value.ts";
export { fieldOf, isArray, isObject, type JsonObject, setField } from "./values/json-value.ts";
export {
  type JsonDocument,
  type JsonNotes,
  type JsonOptions,
  JsonSyntaxError,
  readJson,
} from "./values/read-json.ts";
export { writeJson } from "./values/write-json.ts";
