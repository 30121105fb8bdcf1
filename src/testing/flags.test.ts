import { expect, test } from "vitest";
import { flagArguments } from "./flags.ts";

const defaults = {
  "secure-port": "6443",
  "authorization-mode": "RBAC",
  "feature-gates": ["A=true", "B=true"],
};

test("a flag with a list of values is given once for each of them", () => {
  expect(flagArguments(defaults)).toEqual([
    "--secure-port=6443",
    "--authorization-mode=RBAC",
    "--feature-gates=A=true",
    "--feature-gates=B=true",
  ]);
});

test("an override replaces the default of its name, and is added where there is none", () => {
  expect(flagArguments(defaults, { "feature-gates": "C=true", v: "4" })).toEqual([
    "--secure-port=6443",
    "--authorization-mode=RBAC",
    "--feature-gates=C=true",
    "--v=4",
  ]);
});

test("an override of undefined leaves the flag out", () => {
  expect(flagArguments(defaults, { "authorization-mode": undefined, "feature-gates": undefined })).toEqual([
    "--secure-port=6443",
  ]);
});
