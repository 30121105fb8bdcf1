import { expect, test } from "vitest";
import { parseResourcePath } from "./recorded-writes.ts";

test.each([
  ["/api/v1/nodes", ["", "nodes", undefined, undefined, "/api/v1/nodes"]],
  ["/api/v1/namespaces", ["", "namespaces", undefined, undefined, "/api/v1/namespaces"]],
  ["/api/v1/namespaces/a", ["", "namespaces", "a", undefined, "/api/v1/namespaces/a"]],
  ["/api/v1/namespaces/a/status", ["", "namespaces", "a", "status", "/api/v1/namespaces/a"]],
  ["/api/v1/namespaces/a/pods?limit=5", ["", "pods", undefined, undefined, "/api/v1/namespaces/a/pods"]],
  [
    "/apis/apps/v1/namespaces/a/deployments/web/scale?dryRun=All",
    ["apps", "deployments", "web", "scale", "/apis/apps/v1/namespaces/a/deployments/web"],
  ],
])("parseResourcePath reads %s", (text, expected) => {
  const { group, resource, name, subresource, path } = parseResourcePath(text) ?? {};
  expect([group, resource, name, subresource, path]).toEqual(expected);
});

test.each(["/version", "/api", "/apis/apps/v1"])("%s has no resource", (text) => {
  expect(parseResourcePath(text)).toBeUndefined();
});
