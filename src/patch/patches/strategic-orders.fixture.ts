import {
  failed,
  malformed,
  metadata,
  type Part,
  podSpec,
  type StrategicCase,
  serviceSpec,
} from "./strategic-part.fixture.ts";

const finalizers = (...names: readonly unknown[]): unknown => ({ finalizers: names });
const abc = [
  { name: "a", image: "a:1" },
  { name: "b", image: "b:1" },
  { name: "c", image: "c:1" },
];
const [a, b, c] = abc;
const containers = (...elements: readonly unknown[]): unknown => ({ containers: elements });

const order = (...names: readonly string[]): unknown => names.map((name) => ({ name }));

export const orderCases: ReadonlyArray<readonly [Part, readonly StrategicCase[]]> = [
  [
    podSpec,
    [
      {
        title: "$setElementOrder alone orders the stored elements",
        before: containers(...abc),
        patch: { "$setElementOrder/containers": order("c", "a", "b") },
        after: containers(c, a, b),
      },
      {
        title: "elements that are not in the order stay before their successors",
        before: containers(...abc),
        patch: { "$setElementOrder/containers": order("c", "b") },
        after: containers(a, c, b),
      },
      {
        title: "new elements have the position of the order",
        before: containers(a, b),
        patch: {
          ...(containers({ name: "new" }) as object),
          "$setElementOrder/containers": order("a", "new", "b"),
        },
        after: containers(a, { name: "new" }, b),
      },
      {
        title: "names in the order without an element are ignored",
        before: containers(a, b),
        patch: { "$setElementOrder/containers": order("z", "b", "a") },
        after: containers(b, a),
      },
      {
        title: "an order need not name a deleted element",
        before: containers(...abc),
        patch: {
          ...(containers({ name: "b", $patch: "delete" }) as object),
          "$setElementOrder/containers": order("c", "a"),
        },
        after: containers(c, a),
      },
      {
        title: "a new element in the slot of a deleted one comes after the remaining ones",
        before: containers(a, b),
        patch: {
          ...(containers({ name: "a", $patch: "delete" }, { name: "new" }) as object),
          "$setElementOrder/containers": order("new"),
        },
        after: containers(b, { name: "new" }),
      },
      {
        title: "a new list with an order is set without directives",
        before: {},
        patch: {
          ...(containers(
            { name: "a", image: null },
            { name: "b" },
            { name: "x", $patch: "delete" },
          ) as object),
          "$setElementOrder/containers": order("a", "b"),
        },
        after: containers({ name: "a", image: null }, { name: "b" }),
      },
      {
        title: "an order of a missing list changes nothing",
        before: {},
        patch: { "$setElementOrder/containers": order("a") },
        after: {},
      },
      {
        title: "all elements of the patch must be in the order",
        before: containers(a),
        patch: { ...(containers({ name: "new" }) as object), "$setElementOrder/containers": order("a") },
        after: failed(
          "The order in patch list:\n[map[name:new]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n",
        ),
      },
      {
        title: "elements of the patch must have the order of $setElementOrder",
        before: containers(a, b),
        patch: {
          ...(containers({ name: "a" }, { name: "b" }) as object),
          "$setElementOrder/containers": order("b", "a"),
        },
        after: failed(
          "The order in patch list:\n[map[name:a] map[name:b]]\n doesn't match $setElementOrder list:\n[map[name:b] map[name:a]]\n",
        ),
      },
      {
        title: "an order must be a list",
        before: containers(a),
        patch: { "$setElementOrder/containers": { name: "a" } },
        after: failed("expected a []interface {}, but received a map[string]interface {}"),
      },
      {
        title: "an order must not be null",
        before: containers(a),
        patch: { "$setElementOrder/containers": null },
        after: failed("expected a []interface {}, but received a %!s(<nil>)"),
      },
      {
        title: "an order must have the keys of elements",
        before: containers(a),
        patch: { "$setElementOrder/containers": [{ image: "a" }] },
        after: failed("map: map[image:a] does not contain declared merge key: name"),
      },
      {
        title: "an order of objects must not have scalars",
        before: containers(a),
        patch: { "$setElementOrder/containers": ["a"] },
        after: failed("value for key 0 is not a map"),
      },
      {
        title: "an ordered list must not be removed",
        before: containers(a),
        patch: { containers: null, "$setElementOrder/containers": order("a") },
        after: failed("expected a []interface {}, but received a %!s(<nil>)"),
      },
      {
        title: "a list without elements cannot be ordered",
        before: containers(),
        patch: { "$setElementOrder/containers": order("a") },
        after: failed("no elements in any of the given slices"),
      },
      {
        title: "an order must name a field",
        before: containers(a),
        patch: { $setElementOrder: order("a") },
        after: malformed("invalid patch format of setElementOrder list"),
      },
      {
        title: "an order must be for a list",
        before: {},
        patch: { "$setElementOrder/nodeSelector": [] },
        after: failed("expected slice or array type, but got: struct"),
      },
      {
        title: "an order need not be retained",
        before: { ...(containers(a, b) as object), hostname: "gone" },
        patch: { $retainKeys: ["containers"], "$setElementOrder/containers": order("b", "a") },
        after: containers(b, a),
      },
      {
        title: "an order of a replaced list orders the elements of the patch",
        before: containers({ name: "a", args: ["1", "2"] }),
        patch: containers({ name: "a", args: ["3", "4"], "$setElementOrder/args": ["3", "4", "1"] }),
        after: containers({ name: "a", args: ["3", "4"] }),
      },
    ],
  ],
  [
    metadata,
    [
      {
        title: "scalars are ordered too",
        before: finalizers("a", "b", "c"),
        patch: { "$setElementOrder/finalizers": ["c", "b", "a"] },
        after: finalizers("c", "b", "a"),
      },
      {
        title: "a deletion need not be retained",
        before: finalizers("a", "b"),
        patch: { $retainKeys: ["finalizers"], "$deleteFromPrimitiveList/finalizers": ["a"] },
        after: finalizers("b"),
      },
      {
        title: "an order and a deletion can be combined",
        before: finalizers("a", "b"),
        patch: {
          "$setElementOrder/finalizers": ["c", "b"],
          finalizers: ["c"],
          "$deleteFromPrimitiveList/finalizers": ["a"],
        },
        after: finalizers("c", "b"),
      },
      {
        title: "an empty order puts new elements last",
        before: finalizers("a", "b"),
        patch: { finalizers: ["c", "d"], "$setElementOrder/finalizers": [] },
        after: finalizers("a", "b", "d", "c"),
      },
    ],
  ],
  [
    serviceSpec,
    [
      {
        title: "keys of elements may be numbers",
        before: { ports: [{ port: 1 }, { port: 2 }, { port: 3 }] },
        patch: {
          ports: [{ port: 2, $patch: "delete" }],
          "$setElementOrder/ports": [{ port: 3 }, { port: 1 }],
        },
        after: { ports: [{ port: 3 }, { port: 1 }] },
      },
    ],
  ],
];
