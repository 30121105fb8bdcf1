/**
 * Custom kinds from schemas: one declaration yields the type, the CustomResourceDefinition and the parser of a kind.
 *
 * An API server serves the definition as it is, and every object that the server accepted has the type that the schema
 * infers. A schema that cannot guarantee this is refused at its declaration, with the path of the field and the reason.
 * Checks in code (refinements) are not part of the definition and are not guaranteed.
 *
 * This folder does not talk to a server.
 *
 * @module
 */
export { type CustomObject, defineResource, type Resource } from "./define-resource.ts";
export type { Column, Definition, ResourceDefinition } from "./definition.ts";
export { DefinitionError } from "./definition-error.ts";
export { InvalidObjectError } from "./parse-object.ts";
export type { Problem } from "./place.ts";
export type { OutputOf, Schema } from "./schema.ts";
