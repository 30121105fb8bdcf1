/**
 * Custom kinds from schemas: the type, the CustomResourceDefinition and the parser of a kind, out of one declaration.
 *
 * It promises that what it defines is served by an API server as it stands, that an object which the server accepted has
 * the type the schema infers, and that a schema of which this cannot be said is refused where it is declared, with the
 * path of the field and the reason. What only code can check (a refinement) is in no definition and is not promised.
 * It talks to no server.
 *
 * @module
 */
export { type CustomObject, defineResource, type Resource } from "./define-resource.ts";
export type { Column, Definition, ResourceDefinition } from "./definition.ts";
export { DefinitionError } from "./definition-error.ts";
export { InvalidObjectError } from "./parse-object.ts";
export type { Problem } from "./place.ts";
export type { OutputOf, Schema } from "./schema.ts";
