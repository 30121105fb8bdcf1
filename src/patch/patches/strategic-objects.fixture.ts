import {
  configData,
  deploymentSpec,
  failed,
  malformed,
  metadata,
  type Part,
  type StrategicCase,
} from "./strategic-part.fixture.ts";

/** Parses JSON, because `__proto__` in an object literal is not a key. */
const parseObject = (text: string): unknown => JSON.parse(text);

export const objectCases: ReadonlyArray<readonly [Part, readonly StrategicCase[]]> = [
  [
    configData,
    [
      {
        title: "objects are merged by field, and null removes a field",
        before: { a: "1", b: "2" },
        patch: { b: null, c: "3" },
        after: { a: "1", c: "3" },
      },
      {
        title: "$patch replace leaves only the fields of the patch",
        before: { a: "1", b: "2" },
        patch: { $patch: "replace", c: "3" },
        after: { c: "3" },
      },
      {
        title: "$patch replace keeps the nulls of the patch",
        before: { a: "1" },
        patch: { $patch: "replace", c: null },
        after: { c: null },
      },
      {
        title: "$patch delete leaves an empty object, regardless of other fields of the patch",
        before: { a: "1" },
        patch: { $patch: "delete", c: "3" },
        after: {},
      },
      {
        title: "an unknown $patch is reported with the patch as Go prints it",
        before: { a: "1" },
        patch: { $patch: "vanish", b: [1, 1.5, null, true, { x: "y z" }], a: {} },
        after: failed(
          "unknown patch type: vanish in map: map[$patch:vanish a:map[] b:[1 1.5 <nil> true map[x:y z]]]",
        ),
      },
      {
        title: "$patch merge is unknown for an object",
        before: {},
        patch: { $patch: "merge" },
        after: failed("unknown patch type: merge in map: map[$patch:merge]"),
      },
      {
        title: "a $patch that is not a string is printed with its type",
        before: {},
        patch: { $patch: [1, 2.5, true, null, "a"] },
        after: failed(
          "unknown patch type: [%!s(int64=1) %!s(float64=2.5) %!s(bool=true) <nil> a] in map: map[$patch:[1 2.5 true <nil> a]]",
        ),
      },
      {
        title: "a null $patch is unknown",
        before: {},
        patch: { $patch: null },
        after: failed("unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]"),
      },
      {
        title: "$retainKeys removes all other fields",
        before: { a: "1", b: "2" },
        patch: { $retainKeys: ["a", "c"], c: "3" },
        after: { a: "1", c: "3" },
      },
      {
        title: "$retainKeys must name every field that the patch sets",
        before: { a: "1" },
        patch: { $retainKeys: ["a"], b: "2" },
        after: malformed("invalid patch format of retainKeys"),
      },
      {
        title: "$retainKeys need not name a field that the patch removes",
        before: { a: "1", b: "2" },
        patch: { $retainKeys: ["a"], b: null },
        after: { a: "1" },
      },
      {
        title: "$retainKeys must be a list",
        before: { a: "1" },
        patch: { $retainKeys: "a" },
        after: malformed("invalid patch format of retainKeys"),
      },
      {
        title: "an undeclared object cannot be merged",
        before: { a: { b: "1" } },
        patch: { a: { c: "2" } },
        after: failed("merging an object in json but data type is not struct, instead is: map"),
      },
      {
        title: "__proto__ and constructor are plain fields",
        before: parseObject('{"__proto__":"1","constructor":"2"}'),
        patch: parseObject('{"__proto__":"3","constructor":null,"hasOwnProperty":"4"}'),
        after: parseObject('{"__proto__":"3","hasOwnProperty":"4"}'),
      },
    ],
  ],
  [
    metadata,
    [
      {
        title: "a new object is set without its nulls",
        before: {},
        patch: { labels: { a: "1", b: null } },
        after: { labels: { a: "1" } },
      },
      {
        title: "a new object with $patch is not set",
        before: {},
        patch: { labels: { $patch: "replace", a: "1" }, annotations: { $patch: "unheard of" } },
        after: {},
      },
      {
        title: "an object with $patch removes a value of another type",
        before: { finalizers: ["a"] },
        patch: { finalizers: { $patch: "delete" } },
        after: {},
      },
      {
        title: "a null $patch has no effect in a new object",
        before: {},
        patch: { labels: { $patch: null, a: "1" } },
        after: { labels: { a: "1" } },
      },
      {
        title: "other directives in a new object are plain fields",
        before: {},
        patch: { labels: { $retainKeys: ["a"], a: "1" } },
        after: { labels: { $retainKeys: ["a"], a: "1" } },
      },
      {
        title: "a value of another type replaces the stored value",
        before: { labels: { a: "1" } },
        patch: { labels: [{ a: null }, { $patch: "delete" }, null] },
        after: { labels: [{}, null] },
      },
      {
        title: "a field that starts with $ and is not a directive is a plain field",
        before: {},
        patch: { $unknown: "1" },
        after: { $unknown: "1" },
      },
    ],
  ],
  [
    deploymentSpec,
    [
      {
        title: "$retainKeys changes the member of a union",
        before: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } },
        patch: { strategy: { $retainKeys: ["type"], type: "Recreate" } },
        after: { strategy: { type: "Recreate" } },
      },
      {
        title: "a union keeps its other members without $retainKeys",
        before: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } },
        patch: { strategy: { type: "Recreate" } },
        after: { strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } },
      },
    ],
  ],
];
