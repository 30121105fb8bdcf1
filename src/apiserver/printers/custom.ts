import type { Scale } from "../../api/types/autoscaling/v1.ts";
import { goJson, goNumber } from "../../schema/index.ts";
import type { Definition } from "../types/resource.ts";
import { ageOf } from "./age.ts";
import {
  type Cell,
  type Column,
  type ColumnDefinition,
  integer,
  name,
  type Printer,
  printer,
} from "./column.ts";
import { parseJsonPath } from "./json-path.ts";
import type { JsonPath } from "./json-path-steps.ts";

type CustomColumn = NonNullable<Definition["columns"]>[number];

/**
 * Returns the printer of a custom resource: the name, then the columns of its definition, or the age if it has none.
 */
export function customPrinter({ columns }: Definition): Printer {
  if (!columns?.length) return printer(name, customAge);
  const parsed = columns.map(customColumn);
  const valid = parsed.filter((column) => column !== undefined);
  // kube-apiserver shows no columns if the path of one is invalid.
  return valid.length < parsed.length ? printer(name) : printer(name, ...valid);
}

/** The age column of custom resources. It has type date and is empty without a creation time. */
const customAge: Column<Pick<Scale, "metadata">> = {
  definition: { name: "Age", type: "date", format: "", description: "", priority: 0 },
  cell: ({ metadata: { creationTimestamp } }, now) =>
    creationTimestamp ? ageOf(creationTimestamp, now) : null,
};

/** The printer of the Scale of custom resources, which kube-apiserver prints differently from other Scales. */
export const customScalePrinter: Printer = printer<Scale>(
  name,
  integer("Desired", ({ spec }) => spec?.replicas ?? 0),
  integer("Available", ({ status }) => status?.replicas ?? 0),
  customAge,
);

function customColumn(column: CustomColumn): Column<object> | undefined {
  const path: JsonPath | undefined = parseJsonPath(column.jsonPath);
  return (
    path && {
      definition: definitionOf(column),
      cell: (object, now) => cellOf(column.type, path(object), now),
    }
  );
}

function definitionOf(column: CustomColumn): ColumnDefinition {
  const { name, type, format = "", jsonPath, priority = 0 } = column;
  const description =
    column.description || `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  return { name, type, format, description, priority };
}

/** Returns the cell for the first value that a path finds. */
function cellOf(type: string, found: readonly unknown[], now: number): Cell {
  if (found.length === 0) return null;
  return (cells[type] ?? emptyCell)(found[0], now);
}

const emptyCell = (): Cell => null;

/** Functions that make the cell of a value by column type. A value of another type gives an empty cell. */
const cells: Readonly<Record<string, (value: unknown, now: number) => Cell>> = {
  string: textCell,
  integer: (value) =>
    typeof value === "number" ? Math.trunc(value) : typeof value === "bigint" ? value : null,
  number: (value) => (typeof value === "number" || typeof value === "bigint" ? value : null),
  boolean: (value) => (typeof value === "boolean" ? value : null),
  date: (value, now) => (typeof value === "string" ? ageOf(value, now) : null),
};

function textCell(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint") return goNumber(value);
  if (typeof value === "boolean") return String(value);
  return value === null ? "<no value>" : goJson(value);
}
