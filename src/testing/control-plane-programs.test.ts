import { expect, test } from "vitest";
import { flagArguments } from "./control-plane-programs.ts";

const defaults = {
  "secure-port": "6443",
  "authorization-mode": "RBAC",
  "feature-gates": ["A=true", "B=true"],
};

test("a flag with several values is passed once for each of them", () => {
  expect(flagArguments(defaults)).toEqual([
    "--secure-port=6443",
    "--authorization-mode=RBAC",
    "--feature-gates=A=true",
    "--feature-gates=B=true",
  ]);
});

test("an override replaces the default of the same name, and is added if no default has its name", () => {
  expect(flagArguments(defaults, { "feature-gates": "C=true", v: "4" })).toEqual([
    "--secure-port=6443",
    "--authorization-mode=RBAC",
    "--feature-gates=C=true",
    "--v=4",
  ]);
});

test("an override of undefined omits the flag", () => {
  expect(flagArguments(defaults, { "authorization-mode": undefined, "feature-gates": undefined })).toEqual([
    "--secure-port=6443",
  ]);
});
