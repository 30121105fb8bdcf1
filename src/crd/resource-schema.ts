import { errorBody, type StructuralSchema, structuralErrors } from "../schema/index.ts";
import { checkConstantDefaults, inAnotherMillisecond } from "./constant-defaults.ts";
import { DefinitionError } from "./definition-error.ts";
import { checkKeptAsWritten } from "./kept-as-written.ts";
import type { Place, Problem } from "./place.ts";
import { jsonSchemasOf, type Schema } from "./schema.ts";
import { structuralOf } from "./structural.ts";

/** The schemas of a kind's two parts. */
export interface Parts {
  readonly spec: Schema;
  readonly status?: Schema | undefined;
}

/**
 * The structural schema of a kind's objects.
 *
 * @param kind the kind as errors name it
 * @param known what is wrong with the kind already, to be told with the rest
 * @throws {DefinitionError} with everything that keeps an API server from serving it
 */
export function resourceSchema(
  kind: string,
  { spec, status }: Parts,
  known: readonly Problem[] = [],
): StructuralSchema {
  const problems: Problem[] = [...known];
  const properties = {
    spec: partSchema("spec", spec, problems),
    ...(status ? { status: partSchema("status", status, problems) } : {}),
  };
  const required = properties.spec.default === undefined ? { required: ["spec"] } : {};
  const schema: StructuralSchema = { type: "object", properties, ...required };
  if (problems.length === 0) problems.push(...refusals(schema, status !== undefined));
  if (problems.length > 0) throw new DefinitionError(kind, problems);
  return schema;
}

function partSchema(path: string, schema: Schema, problems: Problem[]): StructuralSchema {
  try {
    const { input, output } = jsonSchemasOf(schema);
    const own: Problem[] = [];
    const written = structuralOf(input, placeOf(path, input, own));
    const read = structuralOf(output, placeOf(path, output, own));
    // Where one of them could not be read, there is nothing to compare.
    if (own.length === 0) {
      checkKeptAsWritten({ written, read }, placeOf(path, input, own));
      checkConstantDefaults(
        { first: written, second: convertedLater(path, schema) },
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

function convertedLater(path: string, schema: Schema): StructuralSchema {
  const { input } = inAnotherMillisecond(() => jsonSchemasOf(schema));
  return structuralOf(input, placeOf(path, input, []));
}

function placeOf(path: string, root: unknown, problems: Problem[]): Place {
  return { path, root, followed: ["#"], problems };
}

/** What an API server would answer, told by the fields of objects. */
function refusals(schema: StructuralSchema, status: boolean): Problem[] {
  return structuralErrors(schema, "", { status }).map((error) => ({
    field: error.field
      .replaceAll(/\.?properties\[([^\]]*)\]/g, ".$1")
      .replaceAll(/\.items\b|\.additionalProperties\b/g, "[*]")
      .replace(/^\./, ""),
    reason: errorBody(error),
  }));
}
