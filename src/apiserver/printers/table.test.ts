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

test("an object is a table of one row with the object's resource version", () => {
  expect(objectTable(configMap, options)).toEqual({
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: { resourceVersion: "377" },
    columnDefinitions,
    rows: [{ cells: ["a", 1, "90s"], object: partial }],
  });
});

test("a row includes as much of its object as requested", () => {
  const { rows: none } = objectTable(configMap, { ...options, include: "None" });
  const { rows: whole } = objectTable(configMap, { ...options, include: "Object" });
  expect([none[0]?.object, whole[0]?.object]).toEqual([null, configMap]);
});

test("all parts of a table have the requested version of meta.k8s.io", () => {
  const { apiVersion, rows } = objectTable(configMap, { ...options, version: "v1beta1" });
  expect([apiVersion, rows[0]?.object?.apiVersion]).toEqual(["meta.k8s.io/v1beta1", "meta.k8s.io/v1beta1"]);
});

test("a page of a list has a continue token, and the last page has none", () => {
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

test("only the first event of a watch has the columns", () => {
  const first = eventTable(configMap, { ...options, first: true });
  const second = eventTable(configMap, { ...options, first: false });
  expect([first.columnDefinitions, second.columnDefinitions]).toEqual([columnDefinitions, null]);
  expect(second.rows).toEqual(first.rows);
});

test("a bookmark is an empty row, and keeps the annotation that ends the initial events", () => {
  const annotations = { "k8s.io/initial-events-end": "true" };
  const bookmark = (fields: object): KubeObject =>
    ({
      ...configMap,
      metadata: { resourceVersion: "9", ...fields },
      data: undefined,
    }) as unknown as KubeObject;
  const bookmarkTable = (fields: object): object =>
    eventTable(bookmark(fields), { ...options, include: "None", first: false });
  const cells = ["", 0, "<unknown>"];
  expect(bookmarkTable({})).toMatchObject({
    metadata: { resourceVersion: "9" },
    rows: [{ cells, object: null }],
  });
  expect(bookmarkTable({ annotations })).toMatchObject({
    rows: [{ cells, object: { ...partial, metadata: { resourceVersion: "9", annotations } } }],
  });
});
