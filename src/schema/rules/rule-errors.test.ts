import { expect, test } from "vitest";
import { errorsOfField } from "./structural-errors.fixture.ts";

test("a rule and its message must not be empty", () => {
  expect(errorsOfField({ type: "string", "x-kubernetes-validations": [{ rule: " " }] })).toEqual([
    "required @.x-kubernetes-validations[0].rule: Required value: rule is not specified",
  ]);
  expect(
    errorsOfField({
      type: "string",
      "x-kubernetes-validations": [
        { rule: "true", message: "a\nb" },
        { rule: "true\n", message: " " },
        { rule: "true ||\n true" },
        { rule: "true", messageExpression: " " },
        { rule: "true", reason: "foo" },
        { rule: "true", fieldPath: " " },
        { rule: "true", fieldPath: ".a\n" },
        { rule: "true", fieldPath: ".a" },
      ],
    }),
  ).toEqual([
    'invalid @.x-kubernetes-validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
    'invalid @.x-kubernetes-validations[1].message: Invalid value: " ": must be non-empty if specified',
    "required @.x-kubernetes-validations[2].message: Required value: message must be specified if rule contains line breaks",
    "required @.x-kubernetes-validations[3].messageExpression: Required value: messageExpression must be non-empty if specified",
    'notSupported @.x-kubernetes-validations[4].reason: Unsupported value: "foo": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
    'invalid @.x-kubernetes-validations[5].fieldPath: Invalid value: " ": must be non-empty if specified',
    'invalid @.x-kubernetes-validations[5].fieldPath: Invalid value: " ": must be a valid path',
    'invalid @.x-kubernetes-validations[6].fieldPath: Invalid value: ".a\\n": must not contain line breaks',
    'invalid @.x-kubernetes-validations[6].fieldPath: Invalid value: ".a\\n": must be a valid path',
    'invalid @.x-kubernetes-validations[7].fieldPath: Invalid value: ".a": must be a valid path',
  ]);
});

test("the fieldPath of a rule must resolve to a declared field", () => {
  expect(
    errorsOfField({
      type: "object",
      properties: {
        a: { type: "string" },
        "b-c": { type: "string" },
        l: { type: "array", items: { type: "string" } },
      },
      "x-kubernetes-validations": [
        { rule: "true", fieldPath: ".a" },
        { rule: "true", fieldPath: ".b" },
        { rule: "true", fieldPath: "['b-c']" },
        { rule: "true", fieldPath: ".l[0]" },
        { rule: "true", fieldPath: "a" },
      ],
    }),
  ).toEqual([
    'invalid @.x-kubernetes-validations[1].fieldPath: Invalid value: ".b": must be a valid path',
    'invalid @.x-kubernetes-validations[3].fieldPath: Invalid value: ".l[0]": must be a valid path',
    'invalid @.x-kubernetes-validations[4].fieldPath: Invalid value: "a": must be a valid path',
  ]);
});
