import { expect, test } from "vitest";
import { eventWithoutExceptions, withoutExceptions } from "./exceptions.ts";

const refusal = (...fields: readonly string[]) => ({
  kind: "Status",
  message: `Ring "a" is invalid: [${fields.map((field) => `${field}: wrong`).join(", ")}]`,
  details: { causes: fields.map((field) => ({ field, message: "wrong" })) },
});

test("errors with the same causes are equal in every order", () => {
  expect(withoutExceptions(refusal("a", "b"))).toEqual(withoutExceptions(refusal("b", "a")));
  expect(withoutExceptions(refusal("a", "b"))).not.toEqual(withoutExceptions(refusal("a", "c")));
  expect(withoutExceptions(refusal("a"))).toEqual(refusal("a"));
});

test("errors for an undeclared field in an apply are equal for every field", () => {
  const refused = (faults: string) => ({
    kind: "Status",
    message: `failed to create typed patch object (/a; v1, Kind=X): ${faults}`,
  });
  const one = refused(".spec.x: field not declared in schema");
  const two = refused("errors:\n  .a: expected string\n  .spec.x: field not declared in schema");
  expect(withoutExceptions(one)).toEqual(withoutExceptions(two));
});

test("descriptions of columns are ignored", () => {
  const table = (description: string) => ({
    kind: "Table",
    columnDefinitions: [{ name: "Name", description }],
  });
  expect(withoutExceptions(table("prose"))).toEqual(withoutExceptions(table("")));
});

test("the diff in errors about changes of a Pod is ignored", () => {
  const refused = (diff: string) => {
    const message = `Forbidden: pod updates may not change fields other than a\n${diff}`;
    return { message: `Pod "a" is invalid: spec: ${message}`, details: { causes: [{ message }] } };
  };
  const one = withoutExceptions(refused('@@ -1 +1 @@\n-"Env": null'));
  expect(one).toEqual(withoutExceptions(refused("@@ -2 +2 @@")));
  expect(one).not.toEqual(withoutExceptions(refused("")));
});

test("an ExternalName Service is equal with and without a policy, in watches, too", () => {
  const service = (spec: Readonly<Record<string, string>>) => ({ kind: "Service", spec });
  const name = service({ type: "ExternalName", externalName: "a" });
  const kept = service({ type: "ExternalName", externalName: "a", internalTrafficPolicy: "Cluster" });
  const address = service({ type: "ClusterIP", internalTrafficPolicy: "Cluster" });
  expect([kept, address].map(withoutExceptions)).toEqual([name, address]);
  expect(eventWithoutExceptions({ type: "MODIFIED", object: kept })).toEqual({
    type: "MODIFIED",
    object: name,
  });
});

test("Go's type names in decode errors are ignored", () => {
  const refused = (type: string) => ({
    message: `json: cannot unmarshal bool into Go struct field X.a of type ${type}`,
  });
  expect(withoutExceptions(refused("v1.Policy"))).toEqual(withoutExceptions(refused("string")));
  expect(withoutExceptions(refused("int32"))).toEqual(refused("int32"));
});
