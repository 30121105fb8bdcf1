import { expect, test } from "vitest";
import type { KubeObject } from "../../api/index.ts";
import { printerOf } from "./printers.ts";
import { meta, now, resourceOf } from "./rows.fixture.ts";
import { eventTable, listTable, objectTable, type TableOptions } from "./table.ts";

const options: TableOptions = {
  printer: printerOf(resourceOf("v1 ConfigMap")),
  include: "Metadata",
  version: "v1",
  now,
};

const configMap = {
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: meta("a", { namespace: "default", uid: "u", resourceVersion: "377" }),
  data: { k: "v" },
} as unknown as KubeObject;

const columnDefinitions = [
  { name: "Name", type: "string", format: "name", description: "", priority: 0 },
  { name: "Data", type: "string", format: "", description: "", priority: 0 },
  { name: "Age", type: "string", format: "", description: "", priority: 0 },
];

const { metadata } = configMap;
const partial = { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata };

test("an object is a table of one row, at the object's version", () => {
  expect(objectTable(configMap, options)).toEqual({
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: { resourceVersion: "377" },
    columnDefinitions,
    rows: [{ cells: ["a", 1, "90s"], object: partial }],
  });
});

test("a row has as much of its object as is asked for", () => {
  const { rows: none } = objectTable(configMap, { ...options, include: "None" });
  const { rows: whole } = objectTable(configMap, { ...options, include: "Object" });
  expect([none[0]?.object, whole[0]?.object]).toEqual([null, configMap]);
});

test("the older version is written throughout", () => {
  const { apiVersion, rows } = objectTable(configMap, { ...options, version: "v1beta1" });
  expect([apiVersion, rows[0]?.object?.apiVersion]).toEqual(["meta.k8s.io/v1beta1", "meta.k8s.io/v1beta1"]);
});

test("a page of a list keeps its place, and the last page has none", () => {
  const page = { resourceVersion: "9", continue: "x", remainingItemCount: 2 };
  const head = (metadata: object): object => ({
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions,
  });
  expect(listTable(page, options).head).toEqual(head(page));
  expect(listTable({ continue: "", resourceVersion: "9" }, options).head).toEqual(
    head({ resourceVersion: "9" }),
  );
});

test("a list is a table with a row for each object", () => {
  const { field, empty, item } = listTable({ resourceVersion: "9" }, options);
  expect([field, empty, item(configMap)]).toEqual(["rows", [], { cells: ["a", 1, "90s"], object: partial }]);
});

test("only the first event of a watch tells the columns", () => {
  const first = eventTable(configMap, { ...options, first: true });
  const second = eventTable(configMap, { ...options, first: false });
  expect([first.columnDefinitions, second.columnDefinitions]).toEqual([columnDefinitions, null]);
  expect(second.rows).toEqual(first.rows);
});

test("a bookmark is an empty row, and keeps what marks the end of the initial events", () => {
  const annotations = { "k8s.io/initial-events-end": "true" };
  const bookmark = (more: object): KubeObject =>
    ({ ...configMap, metadata: { resourceVersion: "9", ...more }, data: undefined }) as unknown as KubeObject;
  const shown = (more: object): object =>
    eventTable(bookmark(more), { ...options, include: "None", first: false });
  const cells = ["", 0, "<unknown>"];
  expect(shown({})).toMatchObject({ metadata: { resourceVersion: "9" }, rows: [{ cells, object: null }] });
  expect(shown({ annotations })).toMatchObject({
    rows: [{ cells, object: { ...partial, metadata: { resourceVersion: "9", annotations } } }],
  });
});
