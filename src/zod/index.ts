/**
 * Schemas for custom kinds in zod: conditions, quantities, durations, and the built-in types of Kubernetes.
 *
 * They are ordinary zod schemas for `defineResource` of `trimtab/crd`. This is the only folder that imports zod, an
 * optional peer dependency.
 *
 * @module
 */
export { type BuiltInTypes, builtIn } from "./built-in.ts";
export {
  type ConditionSchema,
  conditions,
  duration,
  type IntOrStringSchema,
  intOrString,
  quantity,
} from "./short-forms.ts";
