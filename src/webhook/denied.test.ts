import { expect, test } from "vitest";
import { Denied } from "./denied.ts";

test("a message alone is a 403 Forbidden without causes", () => {
  expect(new Denied("no Websites on Fridays").toStatus()).toEqual({
    metadata: {},
    status: "Failure",
    message: "no Websites on Fridays",
    reason: "Forbidden",
    code: 403,
  });
});

test("a field becomes a cause and stands before the message", () => {
  expect(new Denied("is immutable", { field: "spec.domain" }).toStatus()).toMatchObject({
    message: "spec.domain: is immutable",
    details: { causes: [{ reason: "FieldValueInvalid", message: "is immutable", field: "spec.domain" }] },
  });
});

test("several problems are reported at once, each with its cause", () => {
  const problems = [
    { field: "spec.image", message: "is required", reason: "FieldValueRequired" },
    { field: "spec.replicas", message: "must be odd" },
    { message: "no Websites on Fridays" },
  ];
  expect(new Denied(problems, { code: 422 }).toStatus()).toEqual({
    metadata: {},
    status: "Failure",
    message: "[spec.image: is required, spec.replicas: must be odd, no Websites on Fridays]",
    reason: "Invalid",
    details: {
      causes: [
        { reason: "FieldValueRequired", message: "is required", field: "spec.image" },
        { reason: "FieldValueInvalid", message: "must be odd", field: "spec.replicas" },
      ],
    },
    code: 422,
  });
});

test("code and reason can be chosen; a code that is no refusal is an error", () => {
  expect(new Denied("busy", { code: 418, reason: "Teapot" }).toStatus()).toMatchObject({
    code: 418,
    reason: "Teapot",
  });
  expect(new Denied("busy", { code: 418 }).toStatus()).not.toHaveProperty("reason");
  expect(() => new Denied("fine", { code: 200 })).toThrow("from 400 to 599, got 200");
});
