import type { KubeObject, ListMeta } from "../../api/index.ts";
import {
  listMetadata,
  type PartialMetadata,
  type PartialVersion,
  partialMetadata,
} from "../codec/partial-metadata.ts";
import type { ListShape } from "../types/list-shape.ts";
import type { Cell, ColumnDefinition, Printer } from "./column.ts";

/** A Table as `kubectl get` requests it, with the fields in the order of the wire. */
export interface Table {
  readonly kind: "Table";
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  /** The columns. `null` in all events of a watch except the first. */
  readonly columnDefinitions: readonly ColumnDefinition[] | null;
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly cells: readonly Cell[];
  /** `null` if the request does not include objects. */
  readonly object: KubeObject | PartialMetadata | null;
}

/** The part of its object that a row includes. */
export type IncludeObject = "Metadata" | "Object" | "None";

export interface TableOptions {
  readonly printer: Printer;
  readonly include: IncludeObject;
  /** The version of the group meta.k8s.io. */
  readonly version: PartialVersion;
  /** The time from which ages are computed, in milliseconds since 1970. */
  readonly now: number;
}

/** Returns a list as a Table with a row for each item. */
export function listTable(metadata: ListMeta, options: TableOptions): ListShape<KubeObject> {
  const head = tableHead(listMetadata(metadata), options);
  return { head, field: "rows", empty: [], item: (object) => rowOf(object, options) };
}

/** Returns an object as a Table with one row. */
export function objectTable(object: KubeObject, options: TableOptions): Table {
  const head = tableHead({ resourceVersion: object.metadata.resourceVersion }, options);
  return { ...head, rows: [rowOf(object, options)] };
}

/** Returns the object of a watch event as a Table. Only the first event of a watch has the columns. */
export function eventTable(object: KubeObject, options: TableOptions & { readonly first: boolean }): Table {
  const include = endsInitialEvents(object) && options.include === "None" ? "Metadata" : options.include;
  const table = objectTable(object, { ...options, include });
  return options.first ? table : { ...table, columnDefinitions: null };
}

/**
 * Returns true for the bookmark that ends the initial events. Clients recognize it by its annotation, so its row always
 * has metadata.
 */
function endsInitialEvents({ metadata }: KubeObject): boolean {
  return metadata.annotations?.["k8s.io/initial-events-end"] !== undefined;
}

function tableHead(metadata: ListMeta, { version, printer }: TableOptions): Omit<Table, "rows"> {
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    columnDefinitions: printer.columns,
  };
}

function rowOf(object: KubeObject, { printer, include, version, now }: TableOptions): TableRow {
  const cells = printer.cells(object, now);
  if (include === "None") return { cells, object: null };
  return { cells, object: include === "Object" ? object : partialMetadata(object, version) };
}
