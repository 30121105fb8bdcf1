import type { KubeObject, ListMeta } from "../../api/index.ts";
import type { ListShape } from "../list-shape.ts";
import {
  listMetadata,
  type PartialMetadata,
  type PartialVersion,
  partialMetadata,
} from "../partial-metadata.ts";
import type { Cell, ColumnDefinition, Printer } from "./column.ts";

/** Objects as `kubectl get` shows them, in the order of the wire. */
export interface Table {
  readonly kind: "Table";
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  /** `null` in all events of a watch but the first. */
  readonly columnDefinitions: readonly ColumnDefinition[] | null;
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly cells: readonly Cell[];
  /** `null` where objects were not asked for. */
  readonly object: KubeObject | PartialMetadata | null;
}

/** How much of its object goes with a row. */
export type IncludeObject = "Metadata" | "Object" | "None";

export interface TableOptions {
  readonly printer: Printer;
  readonly include: IncludeObject;
  /** Of group meta.k8s.io. */
  readonly version: PartialVersion;
  /** Milliseconds since 1970, from which ages are told. */
  readonly now: number;
}

/** A list as a Table, which has a row for each item. */
export function listTable(metadata: ListMeta, options: TableOptions): ListShape<KubeObject> {
  const head = tableHead(listMetadata(metadata), options);
  return { head, field: "rows", empty: [], item: (object) => rowOf(object, options) };
}

/** One object as a Table of one row. */
export function objectTable(object: KubeObject, options: TableOptions): Table {
  const head = tableHead({ resourceVersion: object.metadata.resourceVersion }, options);
  return { ...head, rows: [rowOf(object, options)] };
}

/** The object of a watch event as a Table. Only the first event of a watch tells the columns. */
export function eventTable(object: KubeObject, options: TableOptions & { readonly first: boolean }): Table {
  const include = endsInitialEvents(object) && options.include === "None" ? "Metadata" : options.include;
  const whole = objectTable(object, { ...options, include });
  return options.first ? whole : { ...whole, columnDefinitions: null };
}

/** The bookmark that ends the initial events is found by its annotation, so it has metadata even where none is wanted. */
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
