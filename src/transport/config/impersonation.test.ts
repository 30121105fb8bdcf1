import fc from "fast-check";
import { expect, test } from "vitest";
import { impersonationHeaders } from "./impersonation.ts";

test("user, groups, uid and extra each have a header, one per group", () => {
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

test("only a user is one header", () => {
  expect(impersonationHeaders({ user: "jane", groups: [], extra: { none: [] } })).toEqual({
    "impersonate-user": "jane",
  });
});

test("keys that differ only in case are merged", () => {
  expect(impersonationHeaders({ user: "jane", extra: { A: ["1"], a: ["2"] } })).toEqual({
    "impersonate-user": "jane",
    "impersonate-extra-a": ["1", "2"],
  });
});

test("values are sent as UTF-8", () => {
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

test("every key gives a header name that decodes to the key in lower case", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (key) => {
      const name = Object.keys(impersonationHeaders({ user: "jane", extra: { [key]: ["v"] } }))[1] ?? "";
      expect(name).toMatch(/^impersonate-extra-[\w!#$%&'*+.^`|~-]+$/);
      expect(decodeURIComponent(name.slice("impersonate-extra-".length))).toBe(key.toLowerCase());
    }),
  );
});
