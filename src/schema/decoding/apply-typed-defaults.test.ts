import { expect, test } from "vitest";
import { typedSchema } from "../structure/typed-schema.ts";
import { applyTypedDefaults } from "./apply-typed-defaults.ts";

function filled(kind: string, value: unknown): unknown {
  const type = typedSchema({ group: "", version: "v1", kind });
  return type && applyTypedDefaults(value, type);
}

test("a Node gets the fields that Go writes for an empty one", () => {
  expect(filled("Node", { apiVersion: "v1", kind: "Node", metadata: { name: "x" } })).toEqual({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "x" },
    spec: {},
    status: {
      daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
      nodeInfo: {
        machineID: "",
        systemUUID: "",
        bootID: "",
        kernelVersion: "",
        osImage: "",
        containerRuntimeVersion: "",
        kubeletVersion: "",
        kubeProxyVersion: "",
        operatingSystem: "",
        architecture: "",
      },
    },
  });
});

test("real defaults are set, in lists too", () => {
  expect(filled("Service", { spec: { ports: [{ port: 80 }, { protocol: "UDP", port: 53 }] } })).toEqual({
    metadata: {},
    spec: {
      ports: [
        { protocol: "TCP", port: 80 },
        { protocol: "UDP", port: 53 },
      ],
    },
    status: { loadBalancer: {} },
  });
});

test("setting defaults twice changes nothing", () => {
  const once = filled("Pod", { spec: { containers: [{ name: "a", ports: [{ containerPort: 80 }] }] } });
  expect(filled("Pod", once)).toBe(once);
});

test("an empty list or map is removed, or null if it is required", () => {
  expect(filled("ConfigMap", { data: {}, binaryData: { a: "" } })).toEqual({
    metadata: {},
    binaryData: { a: "" },
  });
  expect(filled("Pod", { spec: { containers: [], volumes: [], nodeSelector: {} } })).toEqual({
    metadata: {},
    spec: { containers: null },
    status: {},
  });
});
