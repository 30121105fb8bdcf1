import type { Scale } from "../../api/types/autoscaling/v1.ts";
import { goJson, goNumber } from "../../schema/index.ts";
import type { Definition } from "../resource.ts";
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

/** How a custom kind is printed: the name, then what its definition says; the age where it says nothing. */
export function customPrinter({ columns }: Definition): Printer {
  if (!columns?.length) return printer(name, customAge);
  const made = columns.map(customColumn);
  const known = made.filter((column) => column !== undefined);
  // One path that cannot be read spoils them all, on the real server too.
  return known.length < made.length ? printer(name) : printer(name, ...known);
}

/** Unlike that of built-in kinds it is declared as a date, and empty where there is none. */
const customAge: Column<Pick<Scale, "metadata">> = {
  definition: { name: "Age", type: "date", format: "", description: "", priority: 0 },
  cell: ({ metadata: { creationTimestamp } }, now) =>
    creationTimestamp ? ageOf(creationTimestamp, now) : null,
};

/** Of a custom kind, whose Scale the real server does not print quite as it prints others. */
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

/** Of all that a path found, a cell has room for the first. */
function cellOf(type: string, found: readonly unknown[], now: number): Cell {
  if (found.length === 0) return null;
  return (cells[type] ?? nothing)(found[0], now);
}

const nothing = (): Cell => null;

/** What a value is in a column of a type. Values of other types are not shown. */
const cells: Readonly<Record<string, (value: unknown, now: number) => Cell>> = {
  string: printed,
  integer: (value) =>
    typeof value === "number" ? Math.trunc(value) : typeof value === "bigint" ? value : null,
  number: (value) => (typeof value === "number" || typeof value === "bigint" ? value : null),
  boolean: (value) => (typeof value === "boolean" ? value : null),
  date: (value, now) => (typeof value === "string" ? ageOf(value, now) : null),
};

function printed(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint") return goNumber(value);
  if (typeof value === "boolean") return String(value);
  return value === null ? "<no value>" : goJson(value);
}
