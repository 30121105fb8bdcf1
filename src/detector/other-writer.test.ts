import { expect, test } from "vitest";
import type { Service } from "../api/types/core/v1.ts";
import { fieldOwners } from "./other-writer.ts";

const service: Service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: {
    name: "a",
    uid: "1",
    resourceVersion: "1",
    creationTimestamp: "2026-01-01T00:00:00Z",
    finalizers: ["example.com/hold"],
    managedFields: [
      {
        manager: "kubectl",
        operation: "Apply",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: {
          "f:spec": {
            "f:type": {},
            "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:port": {} } },
          },
        },
      },
      {
        manager: "scaler",
        operation: "Update",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:spec": { "f:selector": {} } },
      },
      {
        manager: "holder",
        operation: "Update",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:metadata": { "f:finalizers": { ".": {}, 'v:"example.com/hold"': {} } } },
      },
    ],
  },
  spec: { type: "ClusterIP", selector: { app: "a" }, ports: [{ port: 80, protocol: "TCP", name: "web" }] },
};

test.each([
  [["spec", "type"], ["kubectl"]],
  [["spec", "selector", "app"], ["scaler"]],
  [["spec", "ports"], ["kubectl"]],
  [["spec", "ports", 0, "port"], ["kubectl"]],
  [["spec", "ports", 0, "name"], []],
  [["metadata", "finalizers", 0], ["holder"]],
  [["spec"], ["kubectl", "scaler"]],
  [["data"], []],
])("%j is managed by %j", (path, owners) => {
  expect(fieldOwners(service, path)).toEqual(owners);
});
