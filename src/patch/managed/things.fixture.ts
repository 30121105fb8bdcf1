import fc from "fast-check";
import type { JsonObject } from "../../schema/index.ts";
import {
  type FieldElement,
  type FieldPath,
  fieldElement,
  keyElement,
  valueElement,
} from "../values/field-element.ts";
import { FieldSet } from "./field-set.ts";

const text = fc.constantFrom("1", "2", "3");
const name = fc.constantFrom("a", "b", "c", "__proto__", "constructor");

/** Generates an object with at least one of the given fields. */
function some(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<JsonObject> {
  return fc
    .record(fields, { requiredKeys: [] })
    .filter((object) => Object.keys(object).length > 0)
    .map((object): JsonObject => object);
}

function map(values: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> {
  return fc.dictionary(name, values, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
}

function set(members: fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> {
  return fc.uniqueArray(members, { minLength: 1, maxLength: 4 });
}

const item = fc.record(
  { name: fc.constantFrom("x", "y", "z"), value: text, tags: map(text), set: set(text) },
  { requiredKeys: ["name"] },
);

const port = fc.record({
  port: fc.constantFrom(1, 2),
  protocol: fc.constantFrom("TCP", "UDP"),
  value: text,
});

const free = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom(1, 1.5, true, false),
    fc.array(text, { maxLength: 2 }),
    map(tie("value")),
  ),
})).value;

/** Generates specs of a thing without empty objects and nulls, which a server stores in another form. */
export const specs: fc.Arbitrary<JsonObject> = some({
  replicas: fc.constantFrom(1, 2),
  text,
  flag: fc.boolean(),
  amount: fc.constantFrom<unknown>(1, "1", "50%"),
  set: set(text),
  numbers: set(fc.constantFrom(1, 2, 10, 1.5)),
  list: fc.array(fc.record({ a: text }), { minLength: 1, maxLength: 2 }),
  items: fc.uniqueArray(item, { minLength: 1, maxLength: 3, selector: (each) => each.name }),
  ports: fc.uniqueArray(port, {
    minLength: 1,
    maxLength: 3,
    selector: (each) => `${each.port}${each.protocol}`,
  }),
  map: map(text),
  maps: map(some({ a: text, b: text })),
  struct: some({ a: text, b: some({ c: text, d: text }) }),
  atomic: some({ a: text, b: text }),
  free: map(free),
});

const element: fc.Arbitrary<FieldElement> = fc.oneof(
  name.map(fieldElement),
  text.map((value) => keyElement({ name: value })),
  fc.constantFrom(9, 80).map((containerPort) => keyElement({ containerPort, protocol: "TCP" })),
  fc.constantFrom<unknown>("a", "<é>", 1, 1.5, 1e-7, true).map(valueElement),
  fc.constantFrom<FieldElement>("i:0", "i:1", "f:.", "f:"),
);

const places: fc.Arbitrary<FieldPath> = fc.array(element, { minLength: 1, maxLength: 4 });

export const fieldSets: fc.Arbitrary<FieldSet> = fc
  .array(places, { maxLength: 8 })
  .map((paths) => FieldSet.of(...paths));
