import { expect, test } from "vitest";
import type { JsonObject } from "../../schema/index.ts";
import { fromScaleManagers, type ScaleMapping, toScaleManagers } from "./scale-managers.ts";
import { path } from "./thing.fixture.ts";

const mapping: ScaleMapping = {
  apiVersion: "apps/v1",
  replicas: new Map([["apps/v1", path("spec", "replicas")]]),
};
const time = "2026-01-01T00:00:00Z";
const replicas = { "f:spec": { "f:replicas": {} } };
const rest = { "f:spec": { "f:selector": {} } };
const both = { "f:spec": { "f:replicas": {}, "f:selector": {} } };

test("a scale has the managers of its object's replicas in its own version", () => {
  const parent = [entry("m1", "Apply", both, { time }), entry("m2", "Update", rest, { time })];
  expect(toScaleManagers(parent, mapping)).toEqual([
    entry("m1", "Apply", replicas, { apiVersion: "autoscaling/v1", time }),
  ]);
});

test("a scale of unowned replicas has no managers", () => {
  expect(toScaleManagers([entry("m2", "Update", rest, { time })], mapping)).toBeUndefined();
  expect(toScaleManagers(undefined, mapping)).toBeUndefined();
});

test("the manager that writes the replicas of a scale becomes the only owner of the object's, without a time", () => {
  const parent = [entry("m1", "Apply", both, { time }), entry("up", "Update", replicas, { time })];
  const scale = [
    entry("sc", "Update", replicas, { apiVersion: "autoscaling/v1", subresource: "scale", time }),
  ];
  expect(fromScaleManagers({ parent, scale }, mapping)).toEqual([
    entry("m1", "Apply", rest, { time }),
    entry("sc", "Update", replicas, { subresource: "scale" }),
  ]);
});

test("an apply manager that still owns the replicas keeps its entry", () => {
  const parent = [entry("m1", "Apply", both, { time })];
  const scale = [
    entry("m1", "Apply", replicas, { apiVersion: "autoscaling/v1", time }),
    entry("ap", "Apply", replicas, { apiVersion: "autoscaling/v1", subresource: "scale" }),
  ];
  expect(fromScaleManagers({ parent, scale }, mapping)).toEqual([
    entry("ap", "Apply", replicas, { subresource: "scale" }),
    entry("m1", "Apply", both, { time }),
  ]);
});

test("an update manager that still owns the replicas gets a second entry for them, without a time", () => {
  const labels = { "f:metadata": { "f:labels": { ".": {}, "f:a": {} } } };
  const parent = [entry("up", "Update", { ...labels, ...replicas }, { time })];
  const scale = [
    entry("lab", "Apply", replicas, { apiVersion: "autoscaling/v1", subresource: "scale" }),
    entry("up", "Update", replicas, { apiVersion: "autoscaling/v1", time }),
  ];
  expect(fromScaleManagers({ parent, scale }, mapping)).toEqual([
    entry("lab", "Apply", replicas, { subresource: "scale" }),
    entry("up", "Update", replicas),
    entry("up", "Update", labels, { time }),
  ]);
});

test("other fields of a scale are not owned in the object, and entries of unknown versions are dropped", () => {
  const parent = [entry("old", "Update", rest, { apiVersion: "apps/v0", time })];
  const scale = [
    entry("lab", "Apply", { "f:metadata": { "f:labels": {} } }, { apiVersion: "autoscaling/v1" }),
  ];
  expect(fromScaleManagers({ parent, scale }, mapping)).toBeUndefined();
});

test("an entry of a version without replicas stays unchanged", () => {
  const without: ScaleMapping = {
    ...mapping,
    replicas: new Map([...mapping.replicas, ["apps/v0", undefined]]),
  };
  const parent = [entry("old", "Update", both, { apiVersion: "apps/v0", time })];
  expect(toScaleManagers(parent, without)).toBeUndefined();
  expect(fromScaleManagers({ parent, scale: [] }, without)).toEqual(parent);
});

function entry(
  manager: string,
  operation: string,
  ...[fieldsV1, part]: [JsonObject, JsonObject?]
): JsonObject {
  return { manager, operation, apiVersion: "apps/v1", fieldsType: "FieldsV1", fieldsV1, ...part };
}
