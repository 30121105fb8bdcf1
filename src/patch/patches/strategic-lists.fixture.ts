import { rejected } from "./patch-case.fixture.ts";
import {
  Fails,
  failed,
  malformed,
  metadata,
  type Part,
  podSpec,
  type StrategicCase,
} from "./strategic-part.fixture.ts";

const finalizers = (...names: readonly unknown[]): unknown => ({ finalizers: names });
const abc = [
  { name: "a", image: "a:1" },
  { name: "b", image: "b:1" },
  { name: "c", image: "c:1" },
];
const [a, b, c] = abc;
const containers = (...elements: readonly unknown[]): unknown => ({ containers: elements });

export const listCases: ReadonlyArray<readonly [Part, readonly StrategicCase[]]> = [
  [
    podSpec,
    [
      {
        title: "an element is merged into the one with its key and keeps its position",
        before: containers(...abc),
        patch: containers({ name: "b", image: "b:2" }),
        after: containers(a, { name: "b", image: "b:2" }, c),
      },
      {
        title: "a new element comes before the existing ones",
        before: containers(a, b),
        patch: containers({ name: "new" }),
        after: containers({ name: "new" }, a, b),
      },
      {
        title: "elements of the patch keep its order, others stay before their successors",
        before: containers(...abc),
        patch: containers({ name: "c" }, { name: "new" }, { name: "a" }),
        after: containers(b, c, { name: "new" }, a),
      },
      {
        title: "$patch delete removes the element with the key",
        before: containers(...abc),
        patch: containers({ name: "b", $patch: "delete" }),
        after: containers(a, c),
      },
      {
        title: "$patch delete of a missing element changes nothing",
        before: containers(a),
        patch: containers({ name: "z", $patch: "delete" }),
        after: containers(a),
      },
      {
        title: "an element that is deleted and added again is new",
        before: containers({ name: "a", image: "a:1", tty: true }),
        patch: containers({ name: "a", $patch: "delete" }, { name: "a", image: "a:2" }),
        after: containers({ name: "a", image: "a:2" }),
      },
      {
        title: "an element with $patch replace keeps the other elements of the patch",
        before: containers(...abc),
        patch: containers({ $patch: "replace" }, { name: "z", image: "z:1" }),
        after: containers({ name: "z", image: "z:1" }),
      },
      {
        title: "lists in elements are merged by their own keys",
        before: containers({ name: "a", env: [{ name: "X", value: "1" }], args: ["1"] }),
        patch: containers({ name: "a", env: [{ name: "Y", value: "2" }], args: ["2"] }),
        after: containers({
          name: "a",
          env: [
            { name: "Y", value: "2" },
            { name: "X", value: "1" },
          ],
          args: ["2"],
        }),
      },
      {
        title: "directives in a new element are plain fields",
        before: containers(a),
        patch: containers({ name: "new", env: [{ name: "X", $patch: "delete" }] }),
        after: containers({ name: "new", env: [{ name: "X", $patch: "delete" }] }, a),
      },
      {
        title: "nulls in a new element stay",
        before: containers(a),
        patch: containers({ name: "new", image: null }),
        after: containers({ name: "new", image: null }, a),
      },
      {
        title: "directives in a new list are dropped",
        before: {},
        patch: containers(
          { name: "x", $patch: "delete" },
          { name: "new", env: [{ name: "X", $patch: "delete" }] },
        ),
        after: containers({ name: "new", env: [] }),
      },
      {
        title: "ports with one number and two protocols are one element",
        before: containers({ name: "a", ports: [{ containerPort: 53, protocol: "UDP" }] }),
        patch: containers({ name: "a", ports: [{ containerPort: 53, protocol: "TCP" }] }),
        after: containers({ name: "a", ports: [{ containerPort: 53, protocol: "TCP" }] }),
      },
      {
        title: "elements with the same key keep their order",
        before: {
          containers: [
            {
              name: "a",
              ports: [
                { containerPort: 53, protocol: "UDP" },
                { containerPort: 53, protocol: "TCP" },
              ],
            },
          ],
        },
        patch: containers({ name: "a", ports: [{ containerPort: 80 }] }),
        after: containers({
          name: "a",
          ports: [
            { containerPort: 80 },
            { containerPort: 53, protocol: "UDP" },
            { containerPort: 53, protocol: "TCP" },
          ],
        }),
      },
      {
        title: "a new element that is repeated is merged into itself",
        before: containers(a),
        patch: containers({ name: "new", image: "1" }, { name: "new", tty: true }),
        after: containers({ name: "new", image: "1", tty: true }, a),
      },
      {
        title: "an empty list changes nothing",
        before: containers(a),
        patch: containers(),
        after: containers(a),
      },
      {
        title: "null removes the list",
        before: containers(a),
        patch: { containers: null },
        after: {},
      },
      {
        title: "an element without the key is refused",
        before: containers(a),
        patch: containers({ image: "x", args: [1] }),
        after: failed("map: map[args:[1] image:x] does not contain declared merge key: name"),
      },
      {
        title: "a deletion without the key is refused",
        before: containers(a),
        patch: containers({ $patch: "delete" }),
        after: failed("map: map[$patch:delete] does not contain declared merge key: name"),
      },
      {
        title: "a stored element without the key fails the patch",
        before: { imagePullSecrets: [{}] },
        patch: { imagePullSecrets: [{ name: "a" }] },
        after: failed("map: map[] does not contain declared merge key: name"),
      },
      {
        title: "$patch merge is refused for lists",
        before: containers(a),
        patch: containers({ name: "a", $patch: "merge" }),
        after: failed("merging lists cannot yet be specified in the patch"),
      },
      {
        title: "an unknown $patch of an element is refused",
        before: containers(a),
        patch: containers({ name: "a", $patch: "vanish" }),
        after: failed("unknown patch type: vanish in map: map[$patch:vanish name:a]"),
      },
      {
        title: "a list without a merge key is replaced",
        before: { tolerations: [{ key: "a" }] },
        patch: { tolerations: [{ key: "b" }, { $patch: "delete" }] },
        after: { tolerations: [{ key: "b" }, { $patch: "delete" }] },
      },
      {
        title: "elements must have one type",
        before: containers(a),
        patch: containers("x"),
        after: failed("list element types are not identical: [[map[image:a:1 name:a]] [x]]"),
      },
      {
        title: "a merged element of a union keeps the fields that it does not retain",
        before: { volumes: [{ name: "v", emptyDir: {} }] },
        patch: { volumes: [{ name: "v", $retainKeys: ["name", "hostPath"], hostPath: { path: "/" } }] },
        after: { volumes: [{ name: "v", hostPath: { path: "/" } }] },
      },
    ],
  ],
  [
    metadata,
    [
      {
        title: "scalars are merged as a set, new ones first",
        before: finalizers("a", "b"),
        patch: finalizers("c"),
        after: finalizers("c", "a", "b"),
      },
      {
        title: "scalars of the patch keep its order around the existing ones",
        before: finalizers("a", "b"),
        patch: finalizers("d", "b", "c", "d"),
        after: finalizers("d", "a", "b", "c"),
      },
      {
        title: "$deleteFromPrimitiveList removes scalars",
        before: finalizers("a", "b"),
        patch: { "$deleteFromPrimitiveList/finalizers": ["a", "z"] },
        after: finalizers("b"),
      },
      {
        title: "$deleteFromPrimitiveList may leave an empty list",
        before: finalizers("a"),
        patch: { "$deleteFromPrimitiveList/finalizers": ["a"] },
        after: finalizers(),
      },
      {
        title: "$deleteFromPrimitiveList with null removes the list",
        before: finalizers("a"),
        patch: { "$deleteFromPrimitiveList/finalizers": null },
        after: {},
      },
      {
        title: "$deleteFromPrimitiveList with another type changes nothing",
        before: finalizers("a"),
        patch: { "$deleteFromPrimitiveList/finalizers": "a" },
        after: finalizers("a"),
      },
      {
        title: "$deleteFromPrimitiveList of a missing field changes nothing",
        before: {},
        patch: { "$deleteFromPrimitiveList/finalizers": ["a"], "$deleteFromPrimitiveList/": ["b"] },
        after: {},
      },
      {
        title: "$deleteFromPrimitiveList without a field is refused",
        before: finalizers("a"),
        patch: { $deleteFromPrimitiveList: ["a"] },
        after: malformed("invalid patch format of primitive list"),
      },
      {
        title: "$deleteFromPrimitiveList merges objects",
        before: { ownerReferences: [{ uid: "1", name: "a" }] },
        patch: { "$deleteFromPrimitiveList/ownerReferences": [{ uid: "1", kind: "Pod" }] },
        after: { ownerReferences: [{ uid: "1", name: "a", kind: "Pod" }] },
      },
      {
        title: "scalars must have one type",
        before: finalizers("a"),
        patch: finalizers(5),
        after: failed("list element types are not identical: [[a] [5]]"),
      },
      {
        title: "scalars cannot be merged with objects",
        before: finalizers(),
        patch: finalizers({}),
        after: failed("cannot merge lists without merge key for string"),
      },
      {
        title: "nested lists are rejected",
        before: finalizers(),
        patch: finalizers(["a"]),
        after: new Fails(rejected),
      },
    ],
  ],
];
