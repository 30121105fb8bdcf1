import fc from "fast-check";
import { expect, test } from "vitest";
import { impersonationHeaders } from "./impersonation.ts";

test("user, groups, uid and extra each have their header, and groups are repeated", () => {
  expect(
    impersonationHeaders({
      user: "jane",
      groups: ["admins", "all"],
      uid: "u-1",
      extra: { Scopes: ["view", "edit"], "example.dev/reason code": ["50% off"] },
    }),
  ).toEqual({
    "impersonate-user": "jane",
    "impersonate-group": ["admins", "all"],
    "impersonate-uid": "u-1",
    "impersonate-extra-scopes": ["view", "edit"],
    "impersonate-extra-example.dev%2Freason%20code": ["50% off"],
  });
});

test("a user alone is one header", () => {
  expect(impersonationHeaders({ user: "jane", groups: [], extra: { none: [] } })).toEqual({
    "impersonate-user": "jane",
  });
});

test("keys that differ in case only are one key", () => {
  expect(impersonationHeaders({ user: "jane", extra: { A: ["1"], a: ["2"] } })).toEqual({
    "impersonate-user": "jane",
    "impersonate-extra-a": ["1", "2"],
  });
});

test("values leave as UTF-8", () => {
  const { "impersonate-user": user } = impersonationHeaders({ user: "žofie" });
  expect(Buffer.from(String(user), "latin1").toString("utf8")).toBe("žofie");
});

test.each([{ groups: ["a"] }, { uid: "u" }, { extra: { a: ["b"] } }])(
  "%j without a user is an error",
  (rest) => {
    expect(() => impersonationHeaders({ user: "", ...rest })).toThrow(
      `expected a user to act as beside ${Object.keys(rest)[0]}, got none`,
    );
  },
);

test("any key makes a header name that decodes to the key in lower case", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (key) => {
      const name = Object.keys(impersonationHeaders({ user: "jane", extra: { [key]: ["v"] } }))[1] ?? "";
      expect(name).toMatch(/^impersonate-extra-[\w!#$%&'*+.^`|~-]+$/);
      expect(decodeURIComponent(name.slice("impersonate-extra-".length))).toBe(key.toLowerCase());
    }),
  );
});
