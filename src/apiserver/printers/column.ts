import type { DeepPartial, KubeObject } from "../../api/index.ts";
import { ageOf } from "./age.ts";

/** What stands in a cell. `null` is how the wire says that there is nothing. */
export type Cell = string | number | bigint | boolean | null;

/** A column as a Table announces it, in the order of the wire. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  /** `name` marks the one that names the object. */
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, 1 only where there is room for it. */
  readonly priority: number;
}

/** A column, and what stands in it for an object at a time in milliseconds since 1970. */
export interface Column<T> {
  readonly definition: ColumnDefinition;
  cell(object: T, now: number): Cell;
}

/**
 * The object that a cell is made of. Nothing is certain to be there: a bookmark is an object without any content, and
 * Go writes `null` for empty lists. Take both for missing.
 */
export type Shown<T extends KubeObject> = DeepPartial<T> & Pick<KubeObject, "metadata">;

/** How the objects of a kind are printed. */
export interface Printer {
  readonly columns: readonly ColumnDefinition[];
  cells(object: KubeObject, now: number): Cell[];
}

export type Printers = Readonly<Record<string, Printer>>;

/** A printer of the kind `T`, column by column. */
export function printer<T extends KubeObject>(...columns: ReadonlyArray<Column<Shown<T>>>): Printer {
  return {
    columns: columns.map(({ definition }) => definition),
    // Who registers a printer for a kind gives it objects of that kind.
    cells: (object, now) => columns.map((column) => column.cell(object as KubeObject & Shown<T>, now)),
  };
}

type Content<T> = (object: T, now: number) => Cell;

export function text<T>(name: string, cell: Content<T>): Column<T> {
  return { definition: define(name, "string"), cell };
}

export function integer<T>(name: string, cell: Content<T>): Column<T> {
  return { definition: define(name, "integer"), cell };
}

export function boolean<T>(name: string, cell: Content<T>): Column<T> {
  return { definition: define(name, "boolean"), cell };
}

/** A column for where there is room. */
export function wide<T>(name: string, cell: Content<T>): Column<T> {
  return { definition: { ...define(name, "string"), priority: 1 }, cell };
}

/** The column of the name, or of another text that names something. */
export function naming<T>(column: Column<T>): Column<T> {
  return { ...column, definition: { ...column.definition, format: "name" } };
}

function define(name: string, type: string): ColumnDefinition {
  return { name, type, format: "", description: "", priority: 0 };
}

type AnyShown = Pick<KubeObject, "metadata">;

export const name: Column<AnyShown> = naming(text("Name", ({ metadata }) => metadata.name ?? ""));

export const age: Column<AnyShown> = text("Age", ({ metadata }, now) =>
  ageOf(metadata.creationTimestamp, now),
);

/** What Go writes for no time at all. */
const zeroTime = "0001-01-01T00:00:00Z";

/** For kinds that nobody prints any other way. */
export const createdAt: Column<AnyShown> = {
  definition: define("Created At", "date"),
  cell: ({ metadata }) => metadata.creationTimestamp ?? zeroTime,
};
