/**
 * CustomResourceDefinitions, and the resources that they make the server serve.
 *
 * Definitions are validated, defaulted and reported on as in kube-apiserver, and custom objects are pruned, defaulted
 * and validated by their schema. CEL rules are not evaluated and conversion webhooks are not called: definitions that
 * have them are accepted with a warning.
 *
 * @module
 */
export { serveCustomResources } from "./custom-resources.ts";
export { resourceFromDefinition } from "./resource-from-definition.ts";
