import { z } from "zod";
import type { StructuralSchema } from "../schema/index.ts";
import { DefinitionError } from "./definition-error.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Problem } from "./place.ts";
import { resourceSchema } from "./resource-schema.ts";
import type { Schema } from "./schema.ts";

/** Returns the structural schema of a field named `it`. */
export function fieldSchema(field: z.ZodType): StructuralSchema | undefined {
  return specSchema(z.object({ it: field }))?.properties?.it;
}

/** Returns the structural schema of a spec that has no problems. */
export function specSchema(spec: Schema): StructuralSchema | undefined {
  const problems: Problem[] = [];
  const { properties } = resourceSchema({ spec }, problems);
  if (problems.length > 0) throw new DefinitionError("a kind", problems);
  return properties?.spec;
}

/** Returns the problems of a kind with a field named `it`. */
export function problemsOf(field: z.ZodType): readonly Problem[] {
  return problemsOfSpec(z.object({ it: field }));
}

/** Returns the problems of a kind with this spec. */
export function problemsOfSpec(spec: Schema): readonly Problem[] {
  const problems: Problem[] = [];
  resourceSchema({ spec }, problems);
  return problems;
}

/** Returns a schema of an unknown library. */
export function schemaOf(input: JsonSchema, output: JsonSchema = input): Schema {
  return { "~standard": { vendor: "other", jsonSchema: { input: () => input, output: () => output } } };
}
