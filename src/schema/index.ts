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
export { conversionFault } from "./conversion-fault.ts";
export type { CrdRule, CrdSchema } from "./crd-schema.ts";
export { type DecodedCustom, decodeCustom } from "./decode-custom.ts";
export { DecodeError, type StrictProblem, strictText } from "./decode-run.ts";
export { type DecodedTyped, type DecodeOptions, decodeTyped } from "./decode-typed.ts";
export { applyDefaults } from "./defaults.ts";
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
export {
  type JsonDocument,
  type JsonNotes,
  type JsonOptions,
  JsonSyntaxError,
  readJson,
} from "./json-text.ts";
export { fieldOf, isArray, isObject, type JsonObject, setField } from "./json-value.ts";
export { type ListErrorsOptions, listErrors } from "./list-errors.ts";
export { decodeObjectMeta } from "./object-meta.ts";
export { PatternError } from "./pattern.ts";
export { type Pruned, type PruneOptions, prune } from "./prune.ts";
export { canonicalQuantity, QuantityError } from "./quantity-text.ts";
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
export { canonicalMicroTime, canonicalTime, TimeError } from "./time-text.ts";
export { applyTypedDefaults } from "./typed-defaults.ts";
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
