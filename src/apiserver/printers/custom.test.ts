import { expect, test } from "vitest";
import type { KubeObject } from "../../api/index.ts";
import type { Cell } from "./column.ts";
import { customPrinter } from "./custom.ts";
import { meta, now } from "./rows.fixture.ts";

/** Returns the cell of a value in a column of a type. */
function cellOf(type: string, value: unknown): Cell | undefined {
  const printer = customPrinter({
    storageVersion: "v1",
    columns: [{ name: "X", type, jsonPath: ".spec.x" }],
  });
  return printer.cells({ metadata: meta("a"), spec: { x: value } } as unknown as KubeObject, now)[1];
}

test.each<[string, unknown, Cell]>([
  ["string", "<a&b>", "<a&b>"],
  ["string", "", ""],
  ["string", 42, "42"],
  ["string", 9_007_199_254_740_993n, "9007199254740993"],
  ["string", 1.5, "1.5"],
  ["string", 1_000_000, "1000000"],
  ["string", 123_456_789.125, "1.23456789125e+08"],
  ["string", 1e21, "1e+21"],
  ["string", 0.000_000_12, "1.2e-07"],
  ["string", true, "true"],
  ["string", null, "<no value>"],
  ["string", ["a", 1, null, 1.5], '["a",1,null,1.5]'],
  ["string", { b: [{ c: 1 }], a: "<&>" }, '{"a":"\\u003c\\u0026\\u003e","b":[{"c":1}]}'],
  ["integer", 42, 42],
  ["integer", 1.5, 1],
  ["integer", 9_007_199_254_740_993n, 9_007_199_254_740_993n],
  ["integer", "12", null],
  ["integer", null, null],
  ["number", 1.5, 1.5],
  ["number", 42, 42],
  ["number", "12", null],
  ["boolean", true, true],
  ["boolean", "true", null],
  ["date", "2020-01-01T00:00:00Z", "6y321d"],
  ["date", "2099-01-01T00:00:00Z", "<invalid>"],
  ["date", "x", "<invalid>"],
  ["date", "", "<unknown>"],
  ["date", 42, null],
])("a column of type %s shows %o as %o", (type, value, cell) => {
  expect(cellOf(type, value)).toEqual(cell);
});

test("a column shows the first value that its path finds, or is empty", () => {
  const printer = customPrinter({
    storageVersion: "v1",
    columns: [
      { name: "First", type: "string", jsonPath: ".spec.items[*].name", priority: 1, description: "one" },
      {
        name: "Ready",
        type: "string",
        jsonPath: '.status.conditions[?(@.type=="Ready")].status',
        format: "f",
      },
    ],
  });
  const object = { metadata: meta("a"), spec: { items: [{ name: "x" }, { name: "y" }] } };
  expect(printer.columns).toEqual([
    { name: "Name", type: "string", format: "name", description: "", priority: 0 },
    { name: "First", type: "string", format: "", description: "one", priority: 1 },
    {
      name: "Ready",
      type: "string",
      format: "f",
      description:
        'Custom resource definition column (in JSONPath format): .status.conditions[?(@.type=="Ready")].status',
      priority: 0,
    },
  ]);
  expect(printer.cells(object as unknown as KubeObject, now)).toEqual(["a", "x", null]);
});

test("a custom resource without columns shows its age, or an empty cell", () => {
  const printer = customPrinter({ storageVersion: "v1" });
  expect(printer.columns.map(({ name, type }) => [name, type])).toEqual([
    ["Name", "string"],
    ["Age", "date"],
  ]);
  expect(printer.cells({ metadata: meta("a") } as unknown as KubeObject, now)).toEqual(["a", "90s"]);
  expect(printer.cells({ metadata: {} } as unknown as KubeObject, now)).toEqual(["", null]);
});

test("with an invalid path only the name is shown", () => {
  const columns = [
    { name: "Good", type: "string", jsonPath: ".spec.a" },
    { name: "Bad", type: "string", jsonPath: ".spec[" },
  ];
  const printer = customPrinter({ storageVersion: "v1", columns });
  expect(printer.columns.map(({ name }) => name)).toEqual(["Name"]);
});
