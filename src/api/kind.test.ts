import { expect, test } from "vitest";
import { type AnyKind, apiVersionOf, isDiscovered, kind, kindName, metadataOnly } from "./kind.ts";
import { Deployment } from "./types/apps/v1.ts";
import { Pod } from "./types/core/v1.ts";
import { facts } from "./types/facts.ts";

test("the apiVersion of the core group is only the version", () => {
  expect([apiVersionOf(Pod), apiVersionOf(Deployment)]).toEqual(["v1", "apps/v1"]);
});

test("the same name returns the same kind, and another scope returns another", () => {
  const name = { group: "example.dev", version: "v1", kind: "Website", plural: "websites" };
  expect(kind({ ...name, namespaced: true })).toBe(kind({ ...name, namespaced: true }));
  expect(kind({ ...name, namespaced: true })).not.toBe(kind({ ...name, namespaced: false }));
});

test("a kind without plural and scope is not discovered", () => {
  const website = kind({ group: "example.dev", version: "v1", kind: "Website" });
  expect(website).toEqual({ group: "example.dev", version: "v1", kind: "Website" });
  expect([isDiscovered(website), isDiscovered(metadataOnly(website)), isDiscovered(Pod)]).toEqual([
    false,
    false,
    true,
  ]);
});

test("a kind of the core group needs no group", () => {
  const pod = kind({ version: "v1", kind: "Pod", plural: "pods", namespaced: true });
  expect(pod).toEqual(Pod);
});

test("a metadata view is one value per kind, with the same resource and its own name", () => {
  const view = metadataOnly(Deployment);
  expect(view).toEqual({ ...Deployment, metadataOnly: true });
  expect(metadataOnly(Deployment)).toBe(view);
  expect(metadataOnly(view)).toBe(view);
});

test("equal kinds have one name, and different kinds or views have different names", () => {
  const again = kind({ group: "apps", version: "v1", kind: "Deployment" });
  expect([Deployment, again, Pod, metadataOnly(Pod)].map(kindName)).toEqual([
    "apps/v1 Deployment",
    "apps/v1 Deployment",
    "v1 Pod",
    "v1 Pod metadata",
  ]);
});

test("every resource of the release is a kind in the module of its group and version", async () => {
  for (const { group, version, kind, plural, namespaced } of facts().resources) {
    const folder = group === "" ? "core" : group.split(".")[0];
    const module = (await import(`./types/${folder}/${version}.ts`)) as Readonly<Record<string, AnyKind>>;
    expect(module[kind]).toEqual({ group, version, kind, plural, namespaced });
  }
});
