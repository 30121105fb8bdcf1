import { expect, test } from "vitest";
import {
  aggregateText,
  blocksRules,
  duplicate,
  errorText,
  type FieldError,
  forbidden,
  internal,
  invalid,
  invalidMessage,
  notFound,
  notSupported,
  required,
  toCauses,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field-error.ts";

const printed: ReadonlyArray<readonly [FieldError, string]> = [
  [required("spec.a"), "spec.a: Required value"],
  [required("spec.a", "must be set"), "spec.a: Required value: must be set"],
  [invalid("spec.a", -1, "must be positive"), "spec.a: Invalid value: -1: must be positive"],
  [invalid("spec.a", "x\n", "is bad"), 'spec.a: Invalid value: "x\\n": is bad'],
  [invalid("spec.a", true, "is bad"), "spec.a: Invalid value: true: is bad"],
  [invalid("spec.a", null, "is bad"), "spec.a: Invalid value: null: is bad"],
  [invalid("spec.a", { b: "<", a: [1] }, "is bad"), 'spec.a: Invalid value: {"a":[1],"b":"\\u003c"}: is bad'],
  [invalid("", "", "is bad"), '<nil>: Invalid value: "": is bad'],
  [typeInvalid("a", "string", "is bad"), 'a: Invalid value: "string": is bad'],
  [notSupported("a", "x", ["b", "c"]), 'a: Unsupported value: "x": supported values: "b", "c"'],
  [notSupported("a", 1, []), "a: Unsupported value: 1"],
  [duplicate("a[1]", "x"), 'a[1]: Duplicate value: "x"'],
  [forbidden("a", "may not change"), "a: Forbidden: may not change"],
  [notFound("a", "x"), 'a: Not found: "x"'],
  [tooLong("a", 1), "a: Too long: may not be more than 1 byte"],
  [tooLong("a", 63), "a: Too long: may not be more than 63 bytes"],
  [tooMany("a", 3, 1), "a: Too many: 3: must have at most 1 item"],
  [tooMany("a", 3, 2), "a: Too many: 3: must have at most 2 items"],
  [internal("a", "failed"), "a: Internal error: failed"],
];

test.each(printed)("%j is printed like in Kubernetes", (error, text) => {
  expect(errorText(error)).toBe(text);
});

test("a cause has the reason, the message without the field, and the field", () => {
  expect(toCauses([invalid("spec.a", 1, "is bad"), typeInvalid("", "x", "is bad")])).toEqual([
    { reason: "FieldValueInvalid", message: "Invalid value: 1: is bad", field: "spec.a" },
    { reason: "FieldValueTypeInvalid", message: 'Invalid value: "x": is bad', field: "<nil>" },
  ]);
});

test("one error is printed alone, several in brackets, and equal errors once", () => {
  const [one, other] = [required("a"), required("b")];
  expect(aggregateText([one])).toBe("a: Required value");
  expect(aggregateText([one, other, one])).toBe("[a: Required value, b: Required value]");
  expect(aggregateText([one, one])).toBe("a: Required value");
});

test("the message of an invalid object names its kind, group and name", () => {
  const deployment = { group: "apps", kind: "Deployment", name: "web" };
  expect(invalidMessage(deployment, [required("spec.selector")])).toBe(
    'Deployment.apps "web" is invalid: spec.selector: Required value',
  );
  expect(invalidMessage({ group: "", kind: "Pod", name: "" }, [])).toBe('Pod "" is invalid');
});

test("rules are not evaluated on values of unexpected types", () => {
  const bad = [
    required("a"),
    notSupported("a", 1, []),
    tooLong("a", 1),
    tooMany("a", 2, 1),
    typeInvalid("a", 1, ""),
  ];
  expect(bad.map((error) => blocksRules([error]))).toEqual([true, true, true, true, true]);
  expect(blocksRules([invalid("a", 1, ""), duplicate("a", 1), forbidden("a", "")])).toBe(false);
});
