import { z } from "zod";
import type { StructuralSchema } from "../schema/index.ts";
import { DefinitionError } from "./definition-error.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { Problem } from "./place.ts";
import { resourceSchema } from "./resource-schema.ts";
import type { Schema } from "./schema.ts";

/** The structural schema of a field that is called `it`. */
export function fieldSchema(field: z.ZodType): StructuralSchema | undefined {
  const { properties } = resourceSchema("a kind", { spec: z.object({ it: field }) });
  return properties?.spec?.properties?.it;
}

/** What is said against a kind that has a field called `it`. */
export function problemsOf(field: z.ZodType): readonly Problem[] {
  return refusalOf(z.object({ it: field }));
}

/** What is said against a kind with this spec. */
export function refusalOf(spec: Schema): readonly Problem[] {
  try {
    resourceSchema("a kind", { spec });
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}

/** A schema of a library that is none of ours. */
export function libraryOf(input: JsonSchema, output: JsonSchema = input): Schema {
  return { "~standard": { vendor: "other", jsonSchema: { input: () => input, output: () => output } } };
}
