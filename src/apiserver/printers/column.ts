import type { DeepPartial, KubeObject } from "../../api/index.ts";
import { ageOf } from "./age.ts";

/** The value of a cell. `null` is an empty cell on the wire. */
export type Cell = string | number | bigint | boolean | null;

/** The definition of a column in a Table, with the fields in the order of the wire. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  /** `name` marks the column with the name of the object. */
  readonly format: string;
  readonly description: string;
  /** 0 for columns that are always shown, 1 for columns of wide output. */
  readonly priority: number;
}

/** A column and its value for an object. `now` is in milliseconds since 1970. */
export interface Column<T> {
  readonly definition: ColumnDefinition;
  cell(object: T, now: number): Cell;
}

/**
 * The object that a row shows. Every field may be missing: a bookmark has no content, and Go writes `null` for empty
 * lists. Treat both as missing.
 */
export type Printable<T extends KubeObject> = DeepPartial<T> & Pick<KubeObject, "metadata">;

/** Prints the objects of a kind as cells. */
export interface Printer {
  readonly columns: readonly ColumnDefinition[];
  cells(object: KubeObject, now: number): Cell[];
}

export type Printers = Readonly<Record<string, Printer>>;

/** Returns a printer for objects of kind `T`. */
export function printer<T extends KubeObject>(...columns: ReadonlyArray<Column<Printable<T>>>): Printer {
  return {
    columns: columns.map(({ definition }) => definition),
    // A printer gets only objects of the kind it is registered for.
    cells: (object, now) => columns.map((column) => column.cell(object as KubeObject & Printable<T>, now)),
  };
}

type CellValue<T> = (object: T, now: number) => Cell;

export function text<T>(name: string, cell: CellValue<T>): Column<T> {
  return { definition: definitionOf(name, "string"), cell };
}

export function integer<T>(name: string, cell: CellValue<T>): Column<T> {
  return { definition: definitionOf(name, "integer"), cell };
}

export function boolean<T>(name: string, cell: CellValue<T>): Column<T> {
  return { definition: definitionOf(name, "boolean"), cell };
}

/** Returns a column of wide output. */
export function wide<T>(name: string, cell: CellValue<T>): Column<T> {
  return { definition: { ...definitionOf(name, "string"), priority: 1 }, cell };
}

/** Marks a column as the one that has the name of the object. */
export function asNameColumn<T>(column: Column<T>): Column<T> {
  return { ...column, definition: { ...column.definition, format: "name" } };
}

function definitionOf(name: string, type: string): ColumnDefinition {
  return { name, type, format: "", description: "", priority: 0 };
}

type HasMetadata = Pick<KubeObject, "metadata">;

export const name: Column<HasMetadata> = asNameColumn(text("Name", ({ metadata }) => metadata.name ?? ""));

export const age: Column<HasMetadata> = text("Age", ({ metadata }, now) =>
  ageOf(metadata.creationTimestamp, now),
);

/** The zero time of Go. */
const zeroTime = "0001-01-01T00:00:00Z";

/** The column of kinds without a printer of their own. */
export const createdAt: Column<HasMetadata> = {
  definition: definitionOf("Created At", "date"),
  cell: ({ metadata }) => metadata.creationTimestamp ?? zeroTime,
};
