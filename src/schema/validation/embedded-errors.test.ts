import { expect, test } from "vitest";
import type { StructuralSchema } from "../structure/structural-schema.ts";
import { invalid } from "../values/field-error.ts";
import { compileSchema } from "./compile-schema.ts";
import { embeddedErrors } from "./embedded-errors.ts";
import { errorLines, objectWith } from "./validate.fixture.ts";

const resource: StructuralSchema = {
  type: "object",
  "x-kubernetes-embedded-resource": true,
  "x-kubernetes-preserve-unknown-fields": true,
};

function errorsOf(value: unknown, schema: StructuralSchema = resource): string[] {
  return errorLines(embeddedErrors({ spec: { f: value } }, compileSchema(objectWith(schema))));
}

test("an embedded resource needs an apiVersion and a kind", () => {
  expect(errorsOf({})).toEqual([
    "required spec.f.apiVersion: Required value",
    "required spec.f.kind: Required value",
  ]);
  expect(errorsOf({ apiVersion: "", kind: "" })).toEqual([
    'invalid spec.f.apiVersion: Invalid value: "": must not be empty',
    'invalid spec.f.kind: Invalid value: "": must not be empty',
  ]);
  expect(errorsOf({ apiVersion: "apps/v1", kind: "Deployment" })).toEqual([]);
});

test("an apiVersion has at most one slash, and a kind is a label in any case", () => {
  expect(errorsOf({ apiVersion: "a/b/c", kind: "Pod pod" })).toEqual([
    'invalid spec.f.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    "invalid spec.f.kind: Invalid value: \"Pod pod\": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  ]);
});

test("embedded resources are validated in lists and maps", () => {
  const schema: StructuralSchema = {
    type: "array",
    items: { type: "object", additionalProperties: resource },
  };
  expect(errorsOf([{ k: { kind: "Pod" } }], schema)).toEqual([
    "required spec.f[0][k].apiVersion: Required value",
  ]);
});

test("the caller's validation reports errors of metadata", () => {
  const value = { apiVersion: "v1", kind: "Pod", metadata: { name: "a/b" } };
  const errors = embeddedErrors(value, compileSchema(resource), {
    path: "spec.f",
    metadata: (metadata, path) => [invalid(path, metadata, "is a test")],
  });
  expect(errorLines(errors)).toEqual(['invalid spec.f.metadata: Invalid value: {"name":"a/b"}: is a test']);
});
