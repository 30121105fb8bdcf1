/**
 * Kinds that users define: CustomResourceDefinitions, and what they make the server serve.
 *
 * It promises that a definition is refused, completed and reported on as a real server does, and that objects of its
 * kind are pruned, defaulted and checked by its schema. It evaluates no rules in CEL and calls no conversion webhook:
 * definitions with rules are taken, with a warning.
 *
 * @module
 */
export { serveCustomKinds } from "./custom-kinds.ts";
export { resourceFromDefinition } from "./custom-resource.ts";
