import { expect, test } from "vitest";
import { kind } from "../api/index.ts";
import { Deployment } from "../api/types/apps/v1.ts";
import { Job } from "../api/types/batch/v1.ts";
import { ConfigMap, Pod, Service } from "../api/types/core/v1.ts";
import { NetworkPolicy } from "../api/types/networking/v1.ts";
import { blankObject } from "./blank-object.ts";

const podTemplate = { metadata: {}, spec: { containers: null } };

// As a real server has them in the bookmarks of a watch.
test.each([
  [ConfigMap, { metadata: {} }],
  [Pod, { ...podTemplate, status: {} }],
  [Service, { metadata: {}, spec: {}, status: { loadBalancer: {} } }],
  [Job, { metadata: {}, spec: { template: podTemplate }, status: {} }],
  [NetworkPolicy, { metadata: {}, spec: { podSelector: {} } }],
  [Deployment, { metadata: {}, spec: { selector: null, strategy: {}, template: podTemplate }, status: {} }],
])("a $kind begins with what its type always has", (built, blank) => {
  expect(blankObject(built)).toEqual(blank);
});

test("a kind that is not built in begins with nothing", () => {
  expect(blankObject(kind({ group: "example.dev", version: "v1", kind: "Thing" }))).toEqual({});
});
