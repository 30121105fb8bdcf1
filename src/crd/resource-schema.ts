import { errorBody, type StructuralSchema, structuralErrors } from "../schema/index.ts";
import { checkConstantDefaults, inNextMillisecond } from "./check-constant-defaults.ts";
import { checkInputEqualsOutput } from "./check-input-equals-output.ts";
import { DefinitionError } from "./definition-error.ts";
import type { Place, Problem } from "./place.ts";
import { jsonSchemasOf, type Schema } from "./schema.ts";
import { structuralOf } from "./structural-of.ts";

/** The schemas of the spec and status of a kind. */
export interface Parts {
  readonly spec: Schema;
  readonly status?: Schema | undefined;
}

/**
 * Returns the structural schema of a kind's objects.
 *
 * @param kind The kind as errors name it.
 * @param earlier Problems that were found already, reported together with the others.
 * @throws {DefinitionError} with all problems that prevent an API server from serving it
 */
export function resourceSchema(
  kind: string,
  { spec, status }: Parts,
  earlier: readonly Problem[] = [],
): StructuralSchema {
  const problems: Problem[] = [...earlier];
  const properties = {
    spec: partSchema("spec", spec, problems),
    ...(status ? { status: partSchema("status", status, problems) } : {}),
  };
  const required = properties.spec.default === undefined ? { required: ["spec"] } : {};
  const schema: StructuralSchema = { type: "object", properties, ...required };
  if (problems.length === 0) problems.push(...serverProblems(schema, status !== undefined));
  if (problems.length > 0) throw new DefinitionError(kind, problems);
  return schema;
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
    field: error.field
      .replaceAll(/\.?properties\[([^\]]*)\]/g, ".$1")
      .replaceAll(/\.items\b|\.additionalProperties\b/g, "[*]")
      .replace(/^\./, ""),
    reason: errorBody(error),
  }));
}
