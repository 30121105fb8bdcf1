/**
 * Custom kinds from schemas: one declaration yields the type, the CustomResourceDefinition and the parser of a kind.
 *
 * An API server serves the definition as it is, and every object that the server accepted has the type that the schema
 * infers. A schema that cannot guarantee this is refused at its declaration, with the path of the field and the reason,
 * and so is code in a schema (refinements, transforms), because no server runs it. The expressions of validation rules
 * are not checked: only an API server compiles CEL.
 *
 * This folder does not talk to a server.
 *
 * @module
 */
export type { ValidationRule } from "../schema/index.ts";
export { type Conversion, ConversionError } from "./conversion.ts";
export { defineResource } from "./define-resource.ts";
export type { Definition } from "./definition.ts";
export { DefinitionError } from "./definition-error.ts";
export { InvalidObjectError } from "./parse-object.ts";
export type { Problem } from "./place.ts";
export type { CustomObject, Resource } from "./resource.ts";
export type {
  Column,
  KindOptions,
  ResourceDefinition,
  Scale,
  VersionOptions,
} from "./resource-definition.ts";
export { immutable, listMap, type RuleOptions, rule, type SchemaMetadata } from "./rule.ts";
export type { InputOf, OutputOf, Schema } from "./schema.ts";
export type {
  Convert,
  Converted,
  DefinitionOptions,
  VersionedDefinition,
  VersionedResource,
  VersionState,
  Versions,
} from "./versioned-definition.ts";
