import { expect, test } from "vitest";
import { Deployment } from "../../api/types/apps/v1.ts";
import { deducedNode, typedNode } from "../../schema/index.ts";
import { strategicPatchText } from "./strategic-text.ts";

const node = typedNode(Deployment) ?? deducedNode;

function podText(before: object, patch: object): string {
  const around = (spec: object) => ({ spec: { template: { spec } } });
  const text = strategicPatchText(around(before), around(patch), node);
  return text.replace(/^map\[spec:map\[template:map\[spec:(.*)\]\]\]$/, "$1");
}

test("a patch without directives is printed unchanged", () => {
  const patch = { nodeSelector: { a: "1", b: null }, hostname: null, args: [1, 2.5] };
  expect(podText({ nodeSelector: { a: "0" } }, patch)).toBe(
    "map[args:[1 2.5] hostname:<nil> nodeSelector:map[a:1 b:<nil>]]",
  );
});

test("ordered lists are consumed with their order", () => {
  const patch = {
    containers: [{ name: "a", image: "x" }],
    "$setElementOrder/containers": [{ name: "a" }],
    "$setElementOrder/volumes": [],
    unknown: 1,
  };
  expect(podText({ containers: [{ name: "a" }] }, patch)).toBe("map[unknown:1]");
});

test("directives of objects are consumed, those of elements are not", () => {
  const patch = {
    securityContext: { $retainKeys: ["runAsUser"], runAsUser: 1 },
    nodeSelector: { $patch: "replace", a: "1" },
    containers: [
      { name: "a", $patch: "delete" },
      { name: "b", resources: { $patch: "replace", limits: {} } },
      { name: "new", resources: { $patch: "replace" } },
    ],
  };
  const before = {
    securityContext: {},
    nodeSelector: {},
    containers: [{ name: "a" }, { name: "b", resources: {} }],
  };
  expect(podText(before, patch)).toBe(
    "map[containers:[map[$patch:delete name:a] map[name:b resources:map[limits:map[]]] map[name:new resources:map[$patch:replace]]] nodeSelector:map[a:1] securityContext:map[runAsUser:1]]",
  );
});

test("a new value loses its nulls and directives, but no elements", () => {
  const patch = {
    dnsConfig: { options: null, nameservers: ["x"], searches: { $patch: "delete" } },
    hostAliases: [
      { ip: "1", hostnames: null },
      { $patch: "delete", ip: null },
    ],
  };
  expect(podText({}, patch)).toBe(
    "map[dnsConfig:map[nameservers:[x]] hostAliases:[map[ip:1] map[$patch:delete]]]",
  );
});

test("nested lists are printed at any depth", () => {
  let lists: unknown = 1;
  for (let level = 0; level < 20_000; level++) lists = [lists];
  expect(podText({}, { tolerations: lists })).toHaveLength("map[tolerations:1]".length + 40_000);
});

test("elements that replace a list are printed unchanged", () => {
  const patch = { containers: [{ $patch: "replace" }, { name: "a", $retainKeys: ["name"] }] };
  expect(podText({ containers: [{ name: "a" }] }, patch)).toBe(
    "map[containers:[map[$patch:replace] map[$retainKeys:[name] name:a]]]",
  );
});
