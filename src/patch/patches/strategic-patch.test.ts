import { deepStrictEqual } from "node:assert";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ConfigMap, Service } from "../../api/types/core/v1.ts";
import {
  deducedNode,
  isObject,
  type JsonObject,
  type ObjectNode,
  type SchemaNode,
  typedNode,
} from "../../schema/index.ts";
import { applyMergePatch } from "./merge-patch.ts";
import { frozen, nested, outcomeOf } from "./patch-case.fixture.ts";
import { listCases } from "./strategic-lists.fixture.ts";
import { objectCases } from "./strategic-objects.fixture.ts";
import { orderCases } from "./strategic-orders.fixture.ts";
import { Fails, type Part, type StrategicCase } from "./strategic-part.fixture.ts";
import { applyStrategicPatch } from "./strategic-patch.ts";

for (const [part, cases] of [...objectCases, ...listCases, ...orderCases]) {
  for (const each of cases) test(each.title, () => requireOutcome(part, each));
}

function requireOutcome({ kind, around }: Part, { before, patch, after }: StrategicCase): void {
  const given = frozen({ document: around(before), patch: around(patch) });
  const outcome = outcomeOf(() => applyStrategicPatch(given.document, given.patch, nodeOf(kind)));
  deepStrictEqual(outcome, after instanceof Fails ? after.outcome : { result: around(after) });
}

function nodeOf(kind: Part["kind"]): SchemaNode {
  const node = typedNode(kind);
  if (node) return node;
  throw new Error(`expected a built-in kind, got ${kind.kind}`);
}

test.each([
  [null, { result: { data: { a: "1" } } }],
  [
    [],
    {
      failure: "malformed",
      message: "json: cannot unmarshal array into Go value of type map[string]interface {}",
    },
  ],
  [
    1,
    {
      failure: "malformed",
      message: "json: cannot unmarshal number into Go value of type map[string]interface {}",
    },
  ],
  [{ $patch: "delete" }, { result: {} }],
])("%j is or is not a patch of the whole object", (patch, outcome) => {
  expect(outcomeOf(() => applyStrategicPatch({ data: { a: "1" } }, patch, nodeOf(ConfigMap)))).toEqual(
    outcome,
  );
});

test("a patch ten thousand levels deep is set without nulls and directives, and printed", () => {
  const patch = { unknown: nested(10_000, { gone: null, b: { $patch: "delete" } }) };
  const taken = applyStrategicPatch({}, patch, nodeOf(ConfigMap));
  expect(innermost(taken.unknown)).toEqual({});
  const refused = outcomeOf(() => applyStrategicPatch({}, { ...patch, $patch: "?" }, nodeOf(ConfigMap)));
  expect(refused).toMatchObject({
    message: expect.stringContaining("map[$patch:? unknown:map[a:map[a:map[a:"),
  });
});

function innermost(value: unknown): unknown {
  let inner = value;
  while (isObject(inner) && isObject(inner.a)) inner = inner.a;
  return inner;
}

test("raw JSON in an object is not merged", () => {
  const raw: SchemaNode = { object: objectOf(new Map([["data", deducedNode]])) };
  const refused = outcomeOf(() => applyStrategicPatch({ data: { a: {} } }, { data: { a: {} } }, raw));
  expect(refused).toEqual({
    failure: "failed",
    message: 'unable to find api field in struct RawExtension for the json field "a"',
  });
});

test("an object with the patch strategy replace is taken from the patch", () => {
  const whole = { ...objectOf(new Map([["a", deducedNode]])), patchStrategy: ["replace"] } as const;
  const node: SchemaNode = { object: objectOf(new Map([["whole", { object: whole }]])) };
  const patched = applyStrategicPatch({ whole: { a: 1 } }, { whole: { b: null, $patch: "delete" } }, node);
  expect(patched).toEqual({ whole: { b: null, $patch: "delete" } });
});

test("twenty elements are ordered like a hundred", () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);
  for (const count of [20, 100]) {
    const document = { metadata: { finalizers: names(count) } };
    const patch = { metadata: { "$setElementOrder/finalizers": names(count).reverse() } };
    const { metadata } = applyStrategicPatch(document, patch, nodeOf(ConfigMap));
    expect(metadata).toEqual({ finalizers: names(count).reverse() });
  }
});

function objectOf(fields: ObjectNode["fields"]): ObjectNode {
  return { fields, type: "granular", patchStrategy: [] };
}

const keys = ["a", "b", "c", "__proto__", "constructor"];

/** An object whose fields may be such objects again, or lists and scalars. */
function selfSimilarNode(): SchemaNode {
  const fields = new Map<string, SchemaNode>();
  const list = { items: deducedNode, type: "atomic", keys: [], patchStrategy: [] } as const;
  const node: SchemaNode = { object: objectOf(fields), list, scalar: "untyped" };
  for (const key of keys) fields.set(key, node);
  return node;
}

const scalar = fc.constantFrom(true, 0, 1.5, "", "x");
const { plainObject } = fc.letrec<{ plainObject: JsonObject; member: unknown }>((tie) => ({
  plainObject: fc.dictionary(fc.constantFrom(...keys), tie("member"), { maxKeys: 4, noNullPrototype: true }),
  member: fc.oneof({ maxDepth: 4 }, scalar, fc.constant(null), fc.array(scalar), tie("plainObject")),
}));

test("without directives, objects are merged like in a merge patch", () => {
  fc.assert(
    fc.property(plainObject, plainObject, (document, patch) => {
      const after = applyStrategicPatch(frozen(document), frozen(patch), selfSimilarNode());
      deepStrictEqual(after, applyMergePatch(document, patch));
    }),
  );
});

const ports = fc.uniqueArray(
  fc.record({ port: fc.integer({ min: 1, max: 8 }), name: fc.constantFrom("x", "y") }),
  { maxLength: 6, selector: ({ port }) => port },
);

interface Port {
  readonly port: number;
  readonly name: string;
}

function merged(before: readonly Port[], patch: readonly Port[]): readonly Port[] {
  const { spec } = applyStrategicPatch(
    { spec: { ports: before } },
    { spec: { ports: patch } },
    nodeOf(Service),
  );
  return (spec as { ports: readonly Port[] }).ports;
}

test("merged lists have every element once, in the patch's order, the others in the server's", () => {
  fc.assert(
    fc.property(ports, ports, (before, patch) => {
      const after = merged(before, patch);
      const patched = new Set(patch.map(({ port }) => port));
      expect(after.filter(({ port }) => patched.has(port))).toEqual(patch);
      expect(after.filter(({ port }) => !patched.has(port))).toEqual(
        before.filter(({ port }) => !patched.has(port)),
      );
    }),
  );
});

test("applying a patch of a list again changes nothing", () => {
  fc.assert(
    fc.property(ports, ports, (before, patch) => {
      const after = merged(before, patch);
      expect(merged(after, patch)).toEqual(after);
    }),
  );
});

test("an order that names every element is the final order", () => {
  fc.assert(
    fc.property(ports, fc.infiniteStream(fc.nat()), (before, dice) => {
      const order = before.map(({ port }) => ({ port, at: dice.next().value as number }));
      order.sort((one, other) => one.at - other.at);
      const patch = { spec: { "$setElementOrder/ports": order.map(({ port }) => ({ port })) } };
      fc.pre(before.length > 0);
      const { spec } = applyStrategicPatch({ spec: { ports: before } }, patch, nodeOf(Service));
      const after = (spec as { ports: readonly Port[] }).ports;
      expect(after.map(({ port }) => port)).toEqual(order.map(({ port }) => port));
    }),
  );
});
