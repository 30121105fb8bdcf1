import { expect, test } from "vitest";
import { Deployment } from "../../api/types/apps/v1.ts";
import { runAtOnce } from "../../base/index.ts";
import { type JsonObject, typedNode } from "../../schema/index.ts";
import { managedFieldsOf } from "./managed-object.ts";
import { configMapNode, resetByStatus, thing, thingNode } from "./thing.fixture.ts";
import { trackUpdate, type UpdateWrite } from "./track-update.ts";

const first = "2026-01-01T00:00:00Z";
const later = "2026-01-01T00:00:09Z";

test("the creator of an object owns the fields it sets, and each map", () => {
  const created = written({ manager: "me", next: configMap({ k: "v" }, { labels: { b: "1" } }) });
  expect(managedFieldsOf(created)).toEqual([
    updated("me", first, {
      "f:data": { ".": {}, "f:k": {} },
      "f:metadata": { "f:labels": { ".": {}, "f:b": {} } },
    }),
  ]);
});

test("an object without fields gets no managers", () => {
  expect(written({ manager: "me", next: configMap(undefined) })).toEqual(configMap(undefined));
});

test("a create ignores the managed fields of the request", () => {
  const managedFields = [updated("zz", first, { "f:data": {} })];
  const created = written({ manager: "me", next: configMap({ k: "v" }, { managedFields }) });
  expect(managedFieldsOf(created)).toEqual([updated("me", first, { "f:data": { ".": {}, "f:k": {} } })]);
});

test("a manager that changes or adds a field becomes its only owner; others keep the rest and their times", () => {
  const live = written({ manager: "me", next: configMap({ a: "1", b: "1" }) });
  const next = written({ manager: "you", live, next: configMap({ a: "1", b: "2", c: "1" }), time: later });
  expect(managedFieldsOf(next)).toEqual([
    updated("me", first, { "f:data": { ".": {}, "f:a": {} } }),
    updated("you", later, { "f:data": { "f:b": {}, "f:c": {} } }),
  ]);
});

test("a removed field loses its owners, and removing alone changes no time", () => {
  const live = written({ manager: "me", next: configMap({ a: "1", b: "2" }) });
  const next = written({ manager: "me", live, next: configMap({ a: "1" }), time: later });
  expect(managedFieldsOf(next)).toEqual([updated("me", first, { "f:data": { ".": {}, "f:a": {} } })]);
});

test("a map that loses its last key, but stays, is still owned", () => {
  const live = written({ manager: "me", next: thing({ map: { a: "1" } }), node: thingNode });
  const next = written({ manager: "you", live, next: thing({ map: {} }), node: thingNode, time: later });
  expect(managedFieldsOf(next)).toEqual([updated("me", first, { "f:spec": { ".": {}, "f:map": {} } })]);
});

test("a manager has one entry for updates, with the time of the last one that set a field", () => {
  const live = written({ manager: "me", next: configMap({ a: "1" }) });
  const next = written({ manager: "me", live, next: configMap({ a: "2", b: "1" }), time: later });
  expect(managedFieldsOf(next)).toEqual([
    updated("me", later, { "f:data": { ".": {}, "f:a": {}, "f:b": {} } }),
  ]);
});

test("a write that changes nothing leaves the managers unchanged", () => {
  const live = written({ manager: "me", next: configMap({ a: "1" }) });
  expect(written({ manager: "you", live, next: configMap({ a: "1" }), time: later })).toEqual(live);
});

test("a manager without a name is unknown", () => {
  expect(managedFieldsOf(written({ manager: "", next: configMap({ a: "1" }) }))).toEqual([
    updated("unknown", first, { "f:data": { ".": {}, "f:a": {} } }),
  ]);
});

test("a field that the endpoint resets keeps its owner", () => {
  const live = written({ manager: "me", node: thingNode, next: thing({ text: "1" }) });
  const sent = thing({ text: "2" }, { status: { phase: "x" }, metadata: { name: "a", labels: { l: "1" } } });
  const status = { node: thingNode, subresource: "status", reset: resetByStatus, time: later };
  expect(managedFieldsOf(written({ manager: "you", live, next: sent, ...status }))).toEqual([
    updated("me", first, { "f:spec": { ".": {}, "f:text": {} } }),
    { ...updated("you", later, { "f:status": { ".": {}, "f:phase": {} } }), subresource: "status" },
  ]);
});

test("no manager owns the parts that a kind always has", () => {
  const node = typedNode(Deployment) ?? thingNode;
  const next = {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" } },
    spec: {
      selector: { matchLabels: { a: "b" } },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%" } },
      template: {
        metadata: { labels: { a: "b" } },
        spec: {
          containers: [
            {
              name: "c",
              image: "i",
              ports: [
                { containerPort: 80, protocol: "TCP" },
                { containerPort: 9, protocol: "UDP" },
              ],
              resources: { limits: { cpu: "1" } },
            },
          ],
          securityContext: {},
          tolerations: [{ key: "t", operator: "Exists" }],
          volumes: [{ name: "v", emptyDir: {} }],
        },
      },
    },
    status: {},
  };
  const template = { metadata: {}, spec: { containers: null } };
  const blank = { metadata: {}, spec: { selector: null, strategy: {}, template }, status: {} };
  const created = written({ manager: "me", node, next, blank });
  // The managed fields of kube-apiserver, except for the fields that it defaults.
  expect(managedFieldsOf(created)).toEqual([
    updated("me", first, {
      "f:spec": {
        "f:selector": {},
        "f:strategy": { "f:rollingUpdate": { ".": {}, "f:maxSurge": {} }, "f:type": {} },
        "f:template": {
          "f:metadata": { "f:labels": { ".": {}, "f:a": {} } },
          "f:spec": {
            "f:containers": {
              'k:{"name":"c"}': {
                ".": {},
                "f:image": {},
                "f:name": {},
                "f:ports": {
                  ".": {},
                  'k:{"containerPort":9,"protocol":"UDP"}': {
                    ".": {},
                    "f:containerPort": {},
                    "f:protocol": {},
                  },
                  'k:{"containerPort":80,"protocol":"TCP"}': {
                    ".": {},
                    "f:containerPort": {},
                    "f:protocol": {},
                  },
                },
                "f:resources": { ".": {}, "f:limits": { ".": {}, "f:cpu": {} } },
              },
            },
            "f:securityContext": {},
            "f:tolerations": {},
            "f:volumes": { ".": {}, 'k:{"name":"v"}': { ".": {}, "f:emptyDir": {}, "f:name": {} } },
          },
        },
      },
    }),
  ]);
});

test("the managed fields of an update replace the stored ones", () => {
  const live = written({ manager: "me", next: configMap({ a: "1" }) });
  const managedFields = [
    {
      ...updated("mine", first, { "f:data": { "f:a": {}, 'k:{"b": 1, "a":2}': {} }, "f:kind": {} }),
      time: undefined,
    },
    updated("nothing", first, {}),
  ];
  const next = written({ manager: "me", live, next: configMap({ a: "1" }, { managedFields }) });
  expect(managedFieldsOf(next)).toEqual([
    {
      ...{ manager: "mine", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1" },
      fieldsV1: { "f:data": { "f:a": {}, 'k:{"a":2,"b":1}': {} }, "f:kind": {} },
    },
  ]);
});

test("managed fields are ignored if they are invalid or sent to a subresource", () => {
  const live = written({ manager: "me", next: configMap({ a: "1" }) });
  const sent = (entry: object): JsonObject => configMap({ a: "1" }, { managedFields: [entry] });
  const valid = sent(updated("mine", first, { "f:data": {} }));
  const invalid = sent({ ...updated("mine", first, {}), operation: "Bad" });
  const malformed = sent(updated("mine", first, { "f:data": 1 }));
  expect(written({ manager: "me", live, next: valid, subresource: "status" })).toEqual(live);
  expect(written({ manager: "me", live, next: invalid })).toEqual(live);
  expect(written({ manager: "me", live, next: malformed })).toEqual(live);
});

test("an empty list or one empty entry resets the managers; for a custom resource only the latter", () => {
  const live = written({ manager: "me", next: configMap({ a: "1" }) });
  const empty = configMap({ a: "2" }, { managedFields: [] });
  const blank = configMap({ a: "2" }, { managedFields: [{}] });
  expect(written({ manager: "me", live, next: empty })).toEqual(configMap({ a: "2" }));
  expect(written({ manager: "me", live, next: blank })).toEqual(configMap({ a: "2" }));
  expect(written({ manager: "me", live, next: blank, custom: true })).toEqual(configMap({ a: "2" }));
  expect(managedFieldsOf(written({ manager: "me", live, next: empty, custom: true }))).toHaveLength(1);
});

test("an update does not add managers to an object without any", () => {
  const live = configMap({ a: "1" });
  expect(written({ manager: "me", live, next: configMap({ a: "2" }) })).toEqual(configMap({ a: "2" }));
});

test("an entry of a version that is not served is dropped; for a custom resource all entries are", () => {
  const managedFields = [
    updated("me", first, { "f:data": { "f:a": {} } }),
    { ...updated("old", first, { "f:data": { "f:a": {} } }), apiVersion: "v0" },
  ];
  const live = configMap({ a: "1" }, { managedFields });
  const served = (apiVersion: string): boolean => apiVersion === "v1";
  const next = configMap({ a: "1" });
  expect(managedFieldsOf(written({ manager: "me", live, next, served }))).toEqual(managedFields.slice(0, 1));
  expect(written({ manager: "me", live, next, served, custom: true })).toEqual(next);
});

test("fields that have become atomic are owned as a whole", () => {
  const fieldsV1 = {
    "f:spec": { "f:atomic": { "f:a": {} }, "f:list": { 'k:{"a":"1"}': { ".": {}, "f:a": {} } } },
  };
  const spec = { atomic: { a: "1" }, list: [{ a: "1" }] };
  const live = thing(spec, { metadata: { name: "a", managedFields: [updated("me", first, fieldsV1)] } });
  const next = written({
    manager: "you",
    node: thingNode,
    live,
    next: thing({ ...spec, replicas: 1 }),
    time: later,
  });
  expect(managedFieldsOf(next)).toEqual([
    updated("me", first, { "f:spec": { "f:atomic": {}, "f:list": {} } }),
    updated("you", later, { "f:spec": { "f:replicas": {} } }),
  ]);
});

test("an object that does not fit its schema, or is nested too deeply, loses its managers", () => {
  const live = written({ manager: "me", node: thingNode, next: thing({ text: "1" }) });
  const free = JSON.parse(`${'{"a":'.repeat(10_000)}{}${"}".repeat(10_000)}`);
  for (const spec of [{ unknown: 1 }, { text: 1 }, { free }]) {
    const next = thing(spec);
    expect(written({ manager: "me", node: thingNode, live, next })).toBe(next);
  }
});

test("the eleventh update manager merges the two oldest", () => {
  const managers = Array.from({ length: 11 }, (_, index) => `m${index + 10}`);
  const last = managers.reduce<JsonObject | undefined>((live, manager, index) => {
    const data = Object.fromEntries(managers.slice(0, index + 1).map((name) => [name, "1"]));
    return written({ manager, live, next: configMap(data) });
  }, undefined);
  expect(managedFieldsOf(last ?? {})).toEqual([
    updated("ancient-changes", first, { "f:data": { ".": {}, "f:m10": {}, "f:m11": {} } }),
    ...managers.slice(2).map((name) => updated(name, first, { "f:data": { [`f:${name}`]: {} } })),
  ]);
});

test("a manager that loses a map to its writer keeps the keys that are missing in it", () => {
  const owned = updated("me", first, { "f:data": { ".": {}, "f:gone": {} } });
  const live = configMap(undefined, { managedFields: [owned] });
  const next = written({ manager: "you", live, next: configMap({ a: "1" }), time: later });
  expect(managedFieldsOf(next)).toEqual([
    updated("me", first, { "f:data": { "f:gone": {} } }),
    updated("you", later, { "f:data": { ".": {}, "f:a": {} } }),
  ]);
});

test("the input is not modified", () => {
  const live = written({ manager: "me", next: configMap({ a: "1" }) });
  const next = configMap({ a: "2" }, { managedFields: managedFieldsOf(live) });
  const before = JSON.stringify([live, next]);
  written({ manager: "you", live, next });
  expect(JSON.stringify([live, next])).toBe(before);
});

function written(write: Partial<UpdateWrite> & Pick<UpdateWrite, "next" | "manager">): JsonObject {
  return runAtOnce(trackUpdate({ node: configMapNode, apiVersion: "v1", time: first, ...write }));
}

function configMap(data: JsonObject | undefined, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", ...metadata }, ...(data && { data }) };
}

function updated(manager: string, time: string, fieldsV1: JsonObject): JsonObject {
  return { manager, operation: "Update", apiVersion: "v1", time, fieldsType: "FieldsV1", fieldsV1 };
}
