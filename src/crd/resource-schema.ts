import { errorBody, type StructuralSchema, structuralErrors, type ValidationRule } from "../schema/index.ts";
import { checkConstantDefaults, inNextMillisecond } from "./check-constant-defaults.ts";
import { checkInputEqualsOutput } from "./check-input-equals-output.ts";
import type { Place, Problem } from "./place.ts";
import type { VersionOptions } from "./resource-definition.ts";
import { jsonSchemasOf, type Schema } from "./schema.ts";
import { structuralOf } from "./structural-of.ts";
import { transitionProblems } from "./transition-problems.ts";

/** The declarations that the schema of a version consists of. */
export type SchemaParts = Pick<VersionOptions<Schema, Schema>, "spec" | "status" | "rules">;

/**
 * Returns the structural schema of a version's objects. Adds everything that prevents an API server from serving it to
 * `problems`, with paths of object fields.
 */
export function resourceSchema({ spec, status, rules }: SchemaParts, problems: Problem[]): StructuralSchema {
  const own: Problem[] = [];
  const properties = {
    spec: partSchema("spec", spec, own),
    ...(status ? { status: partSchema("status", status, own) } : {}),
  };
  const schema: StructuralSchema = {
    type: "object",
    properties,
    ...(properties.spec.default === undefined ? { required: ["spec"] } : {}),
    ...(rules && rules.length > 0 ? { "x-kubernetes-validations": rules.map(withoutUndefined) } : {}),
  };
  if (own.length === 0)
    own.push(...serverProblems(schema, status !== undefined), ...transitionProblems(schema));
  problems.push(...own);
  return schema;
}

function withoutUndefined(rule: ValidationRule): ValidationRule {
  const given = Object.entries(rule).filter(([, value]) => value !== undefined);
  return { rule: rule.rule, ...Object.fromEntries(given) };
}

function partSchema(path: string, schema: Schema, problems: Problem[]): StructuralSchema {
  try {
    const { input, output } = jsonSchemasOf(schema);
    const own: Problem[] = [];
    const written = structuralOf(input, placeOf(path, input, own));
    const read = structuralOf(output, placeOf(path, output, own));
    // A schema that could not be converted cannot be compared.
    if (own.length === 0) {
      checkInputEqualsOutput({ input: written, output: read }, placeOf(path, input, own));
      checkConstantDefaults(
        { first: written, second: convertAgain(path, schema) },
        placeOf(path, input, own),
      );
    }
    problems.push(...own);
    return written;
  } catch (error) {
    problems.push({ field: path, reason: error instanceof Error ? error.message : String(error) });
    return {};
  }
}

function convertAgain(path: string, schema: Schema): StructuralSchema {
  const { input } = inNextMillisecond(() => jsonSchemasOf(schema));
  return structuralOf(input, placeOf(path, input, []));
}

function placeOf(path: string, root: unknown, problems: Problem[]): Place {
  return { path, root, followed: ["#"], problems };
}

/** Returns the errors of the API server, with paths of object fields. */
function serverProblems(schema: StructuralSchema, status: boolean): Problem[] {
  return structuralErrors(schema, "", { status }).map((error) => ({
    field: fieldPath(error.field),
    reason: errorBody(error),
  }));
}

/** Returns the path of the object field whose schema is at `path`. Rules of the whole object are the option `rules`. */
function fieldPath(path: string): string {
  return path
    .replace(/^\.?x-kubernetes-validations/, "rules")
    .replaceAll(/\.?properties\[([^\]]*)\]/g, ".$1")
    .replaceAll(/\.items\b|\.additionalProperties\b/g, "[*]")
    .replace(/^\./, "");
}
