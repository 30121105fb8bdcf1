import {
  columnErrors,
  deprecationErrors,
  errorBody,
  type FieldError,
  FieldPathError,
  resolveFieldPath,
  type StructuralSchema,
  scalePathErrors,
  selectableFieldErrors,
} from "../schema/index.ts";
import { type DeclaredVersion, printerColumn } from "./definition.ts";
import type { Problem } from "./place.ts";
import type { Scale } from "./resource-definition.ts";

/** Returns the problems of a version beside its schema: of its columns, subresources, fields and deprecation. */
export function versionProblems({ options, schema, deprecated }: DeclaredVersion): Problem[] {
  const { columns = [], scale, selectableFields = [] } = options;
  const warning = typeof deprecated === "string" ? deprecated : undefined;
  const errors = [
    ...columns.flatMap((column, index) => columnErrors(printerColumn(column), `columns[${index}]`)),
    ...(scale ? scalePathErrors(scale, "scale") : []),
    ...selectableFieldErrors(
      selectableFields.map((jsonPath) => ({ jsonPath })),
      "selectableFields",
      schema,
    ),
    ...deprecationErrors({ deprecated: warning !== undefined, deprecationWarning: warning }, ""),
  ];
  const problems = errors.map(problemOf);
  return problems.length === 0 && scale ? scaleProblems(scale, schema) : problems;
}

/** Returns the problem of an option, whose names differ from those in a CustomResourceDefinition. */
function problemOf(error: FieldError): Problem {
  const field = error.field
    .replace(/^\.deprecationWarning$/, "deprecated")
    .replace(/\.JSONPath$/, ".path")
    .replace(/\.jsonPath$/, "");
  return { field, reason: errorBody(error) };
}

/**
 * Returns the paths of a scale subresource that do not lead to fields of the right type, so that scaling would fail.
 */
function scaleProblems(scale: Scale, schema: StructuralSchema): Problem[] {
  const paths = [
    ["specReplicasPath", scale.specReplicasPath, "integer"],
    ["statusReplicasPath", scale.statusReplicasPath, "integer"],
    ["labelSelectorPath", scale.labelSelectorPath, "string"],
  ] as const;
  return paths.flatMap(([name, path, type]) => {
    if (path === undefined) return [];
    const got = typeAt(path, schema);
    if (got === type) return [];
    return [
      {
        field: `scale.${name}`,
        reason: `expected the path of a field of type ${type}, got ${path} (${got})`,
      },
    ];
  });
}

function typeAt(path: string, schema: StructuralSchema): string {
  try {
    return resolveFieldPath(path, schema).schema?.type ?? "any type";
  } catch (error) {
    if (error instanceof FieldPathError) return "no field";
    throw error;
  }
}
