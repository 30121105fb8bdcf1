import { expect, test } from "vitest";
import { fieldElement, indexElement, keyElement, printPath, valueElement } from "./field-element.ts";

test.each([
  [[fieldElement("spec"), fieldElement("replicas")], ".spec.replicas"],
  [
    [fieldElement("containers"), keyElement({ name: "x" }), fieldElement("image")],
    '.containers[name="x"].image',
  ],
  [
    [fieldElement("ports"), keyElement({ protocol: "TCP", containerPort: 80 })],
    '.ports[containerPort=80,protocol="TCP"]',
  ],
  [[fieldElement("finalizers"), valueElement("a/b")], '.finalizers[="a/b"]'],
  [[fieldElement("numbers"), valueElement(1.5)], ".numbers[=1.5]"],
  [[fieldElement("list"), indexElement(0), fieldElement("a.b/c")], ".list[0].a.b/c"],
  [[fieldElement("flags"), valueElement(true)], ".flags[=true]"],
  [[], ""],
])("the path %j is printed", (path, text) => {
  expect(printPath(path)).toBe(text);
});

test("a number is encoded like in Go, and equal numbers are equal", () => {
  expect([10, 1.5, -1, 1e21, 1e-7, 100_000_000, 1.0].map(valueElement)).toEqual([
    "v:10",
    "v:1.5",
    "v:-1",
    "v:1e+21",
    "v:1e-07",
    "v:100000000",
    "v:1",
  ]);
});

test("HTML characters are escaped, other letters are not", () => {
  expect(valueElement('<&>é\u2028"\\/\n\t')).toBe('v:"\\u003c\\u0026\\u003eé\\u2028\\"\\\\/\\n\\t"');
});
