import { expect, test } from "vitest";
import { type Kind, type KubeObject, kind } from "../api/index.ts";
import { ownerKeys } from "./owner-keys.ts";

const Website = kind({
  group: "example.dev",
  version: "v1",
  kind: "Website",
  plural: "websites",
  namespaced: true,
}) as Kind;
const Region = kind({
  group: "example.dev",
  version: "v1",
  kind: "Region",
  plural: "regions",
  namespaced: false,
}) as Kind;

function owned(ownerReferences: unknown): KubeObject {
  const metadata = { name: "child", namespace: "n", ownerReferences };
  return { apiVersion: "v1", kind: "Pod", metadata } as unknown as KubeObject; // the server does not validate references
}

const website = { apiVersion: "example.dev/v1beta1", kind: "Website", name: "w", uid: "1" };
const controlling = { ...website, name: "c", controller: true };

test("the owner is the controller, or every owner with anyOwner", () => {
  expect([...ownerKeys(owned([website, controlling]), Website, false)]).toEqual(["n/c"]);
  expect([...ownerKeys(owned([website, controlling]), Website, true)]).toEqual(["n/w", "n/c"]);
});

test("group and kind count, the version does not", () => {
  const others = [
    { ...controlling, apiVersion: "other.dev/v1" },
    { ...controlling, apiVersion: "v1" },
    { ...controlling, kind: "Page" },
  ];
  expect([...ownerKeys(owned(others), Website, true)]).toEqual([]);
});

test("keys of cluster-scoped owners have no namespace", () => {
  const reference = { ...controlling, kind: "Region", name: "eu" };
  expect([...ownerKeys(owned([reference]), Region, false)]).toEqual(["eu"]);
});

test("invalid owner references are ignored", () => {
  const malformed = [
    null,
    7,
    {},
    { ...controlling, name: "" },
    { ...controlling, name: "x/y" },
    { ...controlling, name: 1 },
    { ...controlling, apiVersion: null },
    { ...controlling, apiVersion: "example.dev/v1/beta" },
  ];
  expect([...ownerKeys(owned(malformed), Website, true)]).toEqual([]);
  expect([...ownerKeys(owned("none"), Website, true)]).toEqual([]);
  expect([...ownerKeys(owned(undefined), Website, true)]).toEqual([]);
});
