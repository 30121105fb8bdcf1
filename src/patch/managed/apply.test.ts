import { expect, test } from "vitest";
import { Deployment } from "../../api/types/apps/v1.ts";
import { runAtOnce } from "../../base/index.ts";
import { type JsonObject, typedNode } from "../../schema/index.ts";
import { type ApplyResult, type ApplyWrite, apply } from "./apply.ts";
import { managedFieldsOf } from "./managed-object.ts";
import { configMapNode, resetByMain, resetByStatus, thing, thingNode } from "./thing.fixture.ts";
import { trackUpdate } from "./track-update.ts";

const first = "2026-01-01T00:00:00Z";
const later = "2026-01-01T00:00:09Z";

test("an apply creates an object whose fields its manager owns", () => {
  const created = applied({ manager: "p", config: thing({ text: "1", map: { a: "1" } }) });
  expect(created).toEqual(
    managed(thing({ text: "1", map: { a: "1" } }), [
      entry("p", first, { "f:spec": { "f:map": { "f:a": {} }, "f:text": {} } }),
    ]),
  );
});

test("two managers with different fields both have them in the object", () => {
  const live = applied({
    manager: "p",
    config: thing({ items: [{ name: "a", value: "1" }], map: { a: "1" } }),
  });
  const config = thing({ items: [{ name: "a", tags: { y: "1" } }, { name: "b" }], map: { b: "2" } });
  const next = applied({ manager: "q", live, config, time: later });
  expect(specOf(next)).toEqual({
    items: [{ name: "a", value: "1", tags: { y: "1" } }, { name: "b" }],
    map: { a: "1", b: "2" },
  });
});

test("an apply that changes nothing leaves everything as it was, including the time", () => {
  const config = thing({ text: "1", set: ["a"] });
  const live = applied({ manager: "p", config });
  expect(applied({ manager: "p", live, config, time: later })).toEqual(live);
});

test("a manager that applies a field with its current value shares it and has no time", () => {
  const config = thing({ text: "1" });
  const live = applied({ manager: "p", config });
  const shared = applied({ manager: "q", live, config, time: later });
  const { time: _, ...untimed } = entry("q", later, { "f:spec": { "f:text": {} } });
  expect(shared).toEqual(managed(config, [untimed, entry("p", first, { "f:spec": { "f:text": {} } })]));
});

test("changing the field of another manager is a conflict", () => {
  const live = applied({ manager: "op1", config: thing({ replicas: 1 }) });
  expect(attempt({ manager: "op2", live, config: thing({ replicas: 3 }) })).toEqual({
    type: "conflict",
    message: 'Apply failed with 1 conflict: conflict with "op1": .spec.replicas',
    causes: [{ reason: "FieldManagerConflict", message: 'conflict with "op1"', field: ".spec.replicas" }],
  });
});

test("conflicts are grouped by manager, with the version and subresource of an update", () => {
  const update = { node: thingNode, apiVersion: "example.dev/v1", time: first };
  const next = thing({ replicas: 1, map: { z: "1" } });
  const updated = runAtOnce(trackUpdate({ ...update, manager: "up", next }));
  const shared = applied({ manager: "ap", live: updated, config: thing({ map: { z: "1" } }) });
  const live = runAtOnce(
    trackUpdate({
      ...{ ...update, live: shared, manager: "status", subresource: "status", reset: resetByStatus },
      next: { ...shared, status: { phase: "1" } },
    }),
  );
  const config = thing({ replicas: 2, map: { z: "2" } }, { status: { phase: "2" } });
  expect(attempt({ manager: "me", live, config, reset: undefined })).toMatchObject({
    message:
      'Apply failed with 4 conflicts: conflicts with "ap":\n- .spec.map.z\n' +
      'conflicts with "status" with subresource "status" using example.dev/v1:\n- .status.phase\n' +
      'conflicts with "up" using example.dev/v1:\n- .spec.replicas\n- .spec.map.z',
    causes: [
      { message: 'conflict with "ap"', field: ".spec.map.z" },
      {
        message: 'conflict with "status" with subresource "status" using example.dev/v1',
        field: ".status.phase",
      },
      { message: 'conflict with "up" using example.dev/v1', field: ".spec.replicas" },
      { message: 'conflict with "up" using example.dev/v1', field: ".spec.map.z" },
    ],
  });
});

test("two managers that apply an empty map which is not stored are in conflict over it", () => {
  const config = { ...configMap({}), metadata: { name: "a", labels: {} } };
  const created = applied({ manager: "m1", node: configMapNode, config });
  const stored = managed(configMap(undefined), managedFieldsOf(created));
  expect(attempt({ manager: "m2", node: configMapNode, live: stored, config })).toMatchObject({
    message: 'Apply failed with 2 conflicts: conflicts with "m1":\n- .data\n- .metadata.labels',
  });
});

test("force takes only the fields in conflict from their managers", () => {
  const live = applied({
    manager: "p",
    config: thing({ free: { a: { b: 1 }, e: "x" }, atomic: { a: "1" } }),
  });
  const config = thing({ free: { a: "s" }, atomic: { b: "1" } });
  expect(applied({ manager: "q", live, config, force: true, time: later })).toEqual(
    managed(thing({ free: { a: "s", e: "x" }, atomic: { b: "1" } }), [
      entry("p", first, { "f:spec": { "f:free": { "f:e": {} } } }),
      entry("q", later, { "f:spec": { "f:atomic": {}, "f:free": { "f:a": {} } } }),
    ]),
  );
});

test("a field that a manager no longer applies is removed if no other manager owns it", () => {
  const live = applied({
    manager: "p",
    config: thing({
      items: [
        { name: "a", value: "1", tags: { x: "1" } },
        { name: "b", value: "2" },
      ],
      map: { a: "1", b: "2" },
      struct: { a: "1", b: { c: "1" } },
    }),
  });
  const other = thing({
    items: [{ name: "a", tags: { y: "1" } }],
    map: { b: "2" },
    struct: { b: { d: "1" } },
  });
  const both = applied({ manager: "q", live, config: other });
  const left = applied({ manager: "p", live: both, config: thing({}), time: later });
  expect(left).toEqual(
    managed(other, [
      entry("q", first, {
        "f:spec": {
          "f:items": { 'k:{"name":"a"}': { ".": {}, "f:name": {}, "f:tags": { "f:y": {} } } },
          "f:map": { "f:b": {} },
          "f:struct": { "f:b": { "f:d": {} } },
        },
      }),
      entry("p", later, { "f:spec": {} }),
    ]),
  );
});

test("a field that a manager no longer applies stays if an update owns it", () => {
  const live = runAtOnce(
    trackUpdate({
      ...{ node: thingNode, apiVersion: "example.dev/v1", time: first, manager: "up" },
      next: thing({ map: { a: "1" } }),
    }),
  );
  const shared = applied({ manager: "p", live, config: thing({ map: { a: "1", b: "1" } }) });
  expect(specOf(applied({ manager: "p", live: shared, config: thing({ text: "1" }) }))).toEqual({
    map: { a: "1" },
    text: "1",
  });
});

test("unowned fields stay beside removed ones, unless their list or object is removed", () => {
  const owned = {
    "f:spec": { "f:map": { "f:a": {} }, "f:items": { 'k:{"name":"a"}': { ".": {}, "f:name": {} } } },
  };
  const spec = { map: { a: "1", b: "2" }, items: [{ name: "a" }, { name: "b" }] };
  const live = managed(thing(spec), [entry("p", first, owned)]);
  const config = thing({ map: { c: "3" } });
  expect(specOf(applied({ manager: "p", live, config }))).toEqual({ map: { b: "2", c: "3" } });
});

test("an object whose last field is no longer applied has no managers and no spec", () => {
  const live = applied({ manager: "p", config: thing({ text: "1" }) });
  const { spec: _, ...bare } = thing({});
  expect(applied({ manager: "p", live, config: bare })).toEqual(bare);
});

test("a map or list that becomes empty but is still applied becomes null", () => {
  const live = applied({ manager: "p", config: thing({ map: { a: "1" }, struct: { a: "1" } }) });
  const next = applied({ manager: "p", live, config: thing({ map: {}, struct: {} }) });
  expect(specOf(next)).toEqual({ map: null, struct: null });
});

test("the fields of an object without managers belong to before-first-apply", () => {
  const live = configMap({ a: "b" });
  const next = applied({ manager: "p", node: configMapNode, live, config: configMap({ z: "1" }) });
  expect(managedFieldsOf(next)).toEqual([
    entry("p", first, { "f:data": { "f:z": {} } }),
    { ...entry("before-first-apply", first, { "f:data": { ".": {}, "f:a": {} } }), operation: "Update" },
  ]);
  expect(attempt({ manager: "p", node: configMapNode, live, config: configMap({ a: "c" }) })).toMatchObject({
    message: 'Apply failed with 1 conflict: conflict with "before-first-apply" using example.dev/v1: .data.a',
  });
});

test("fields that the endpoint resets are merged but not owned", () => {
  const config = thing({ text: "1" }, { status: { phase: "x" } });
  const created = applied({ manager: "p", config, reset: resetByMain });
  expect(created).toEqual(managed(config, [entry("p", first, { "f:spec": { "f:text": {} } })]));
  // The server resets the status. The attempt still updates the time of the apply.
  const { status: _, ...stored } = created;
  expect(
    managedFieldsOf(applied({ manager: "p", live: stored, config, reset: resetByMain, time: later })),
  ).toEqual([entry("p", later, { "f:spec": { "f:text": {} } })]);
});

test("an apply to a subresource is a separate manager, an apply in another version is not", () => {
  const live = applied({ manager: "s", config: thing({ text: "1" }) });
  const status = { subresource: "status", reset: resetByStatus };
  const config = thing({}, { status: { phase: "x" } });
  const both = applied({ manager: "s", live, config, ...status });
  const again = applied({
    manager: "s",
    live: both,
    config: thing({ text: "1" }),
    apiVersion: "example.dev/v2",
  });
  expect(managedFieldsOf(again)).toEqual([
    { ...entry("s", first, { "f:status": { "f:phase": {} } }), subresource: "status" },
    { ...entry("s", first, { "f:spec": { "f:text": {} } }), apiVersion: "example.dev/v2" },
  ]);
});

test("repeated elements in the live object are accepted", () => {
  const items = [
    { name: "a", value: "1" },
    { name: "a", value: "2" },
  ];
  const owned = { "f:spec": { "f:items": { 'k:{"name":"a"}': {} } } };
  const live = managed(thing({ items }), [entry("p", first, owned)]);
  expect(specOf(applied({ manager: "q", live, config: thing({ items: [{ name: "b" }] }) }))).toEqual({
    items: [...items, { name: "b" }],
  });
});

test("a configuration that does not fit the schema is refused with the server's message", () => {
  expect(() => attempt({ manager: "p", config: thing({ foo: 1 }) })).toThrow(
    "failed to create typed patch object (/a; example.dev/v1, Kind=Thing): .spec.foo: field not declared in schema",
  );
  const twice = { ...thing({ set: ["x", "x"] }), metadata: { name: "a", namespace: "ns" } };
  expect(() => attempt({ manager: "p", config: twice })).toThrow(
    'failed to create typed patch object (ns/a; example.dev/v1, Kind=Thing): .spec.set: duplicate entries for key [="x"]',
  );
  expect(() => attempt({ manager: "p", node: configMapNode, config: configMap({ a: 1 }) })).toThrow(
    "failed to create typed patch object (/a; /v1, Kind=ConfigMap): .data.a: expected string, got &value.valueUnstructured{Value:1}",
  );
});

test("an invalid live object and invalid managers are named in the error", () => {
  const config = thing({});
  expect(() =>
    attempt({ manager: "p", live: managed(thing({ foo: 1 }), [entry("p", first, {})]), config }),
  ).toThrow(
    "failed to create typed live object (/a; example.dev/v1, Kind=Thing): .spec.foo: field not declared in schema",
  );
  const invalid = managed(thing({}), [{ ...entry("p", first, {}), operation: "Bad" }]);
  expect(() => attempt({ manager: "p", live: invalid, config })).toThrow(
    "failed to decode managed fields: operation must be `Apply` or `Update`",
  );
  const old = managed(thing({}), [{ ...entry("p", first, {}), apiVersion: "example.dev/v0" }]);
  const served = (apiVersion: string): boolean => apiVersion === "example.dev/v1";
  expect(() => attempt({ manager: "p", live: old, config, served, custom: true })).toThrow(
    "request to convert CR to an invalid group/version: example.dev/v0",
  );
});

test("a configuration nested ten thousand levels deep is refused", () => {
  const free = JSON.parse(`${'{"a":'.repeat(10_000)}{}${"}".repeat(10_000)}`);
  expect(() => attempt({ manager: "p", config: thing({ free }) })).toThrow(
    "failed to create typed patch object (/a; example.dev/v1, Kind=Thing): expected at most 1000 levels of nesting, got more",
  );
});

test("keys with a meaning in JavaScript are applied, owned and pruned like others", () => {
  const map = JSON.parse('{"__proto__":"1","constructor":"2"}');
  const live = applied({ manager: "p", config: thing({ map }) });
  expect(managedFieldsOf(live)).toEqual([
    entry("p", first, { "f:spec": { "f:map": { "f:__proto__": {}, "f:constructor": {} } } }),
  ]);
  const next = applied({ manager: "p", live, config: thing({ map: JSON.parse('{"__proto__":"3"}') }) });
  expect(JSON.stringify(specOf(next))).toBe('{"map":{"__proto__":"3"}}');
});

test("a Deployment is applied by the schema of its kind", () => {
  const node = typedNode(Deployment) ?? thingNode;
  const config = {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d", labels: { x: "y" } } },
    spec: {
      selector: { matchLabels: { a: "b" } },
      template: {
        spec: {
          containers: [
            {
              name: "c",
              ports: [{ containerPort: 80 }, { containerPort: 9, protocol: "UDP" }],
              resources: {},
            },
          ],
        },
      },
    },
  };
  const created = applied({ manager: "p", node, config, reset: resetByMain });
  expect(managedFieldsOf(created)).toEqual([
    entry("p", first, {
      "f:metadata": { "f:labels": { "f:x": {} } },
      "f:spec": {
        "f:selector": {},
        "f:template": {
          "f:spec": {
            "f:containers": {
              'k:{"name":"c"}': {
                ".": {},
                "f:name": {},
                "f:ports": {
                  'k:{"containerPort":9,"protocol":"UDP"}': {
                    ".": {},
                    "f:containerPort": {},
                    "f:protocol": {},
                  },
                  'k:{"containerPort":80,"protocol":"TCP"}': { ".": {}, "f:containerPort": {} },
                },
                "f:resources": {},
              },
            },
          },
        },
      },
    }),
  ]);
});

type Attempt = Partial<ApplyWrite> & Pick<ApplyWrite, "config" | "manager">;

function attempt(write: Attempt): ApplyResult {
  return runAtOnce(apply({ node: thingNode, apiVersion: "example.dev/v1", time: first, ...write }));
}

function applied(write: Attempt): JsonObject {
  const result = attempt(write);
  if (result.type === "conflict") throw new Error(result.message);
  return result.object;
}

function specOf(object: JsonObject): unknown {
  return object.spec;
}

function managed(object: JsonObject, managedFields: unknown): JsonObject {
  return { ...object, metadata: { ...(object.metadata as JsonObject), managedFields } };
}

function configMap(data: JsonObject | undefined): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, ...(data && { data }) };
}

function entry(manager: string, time: string, fieldsV1: JsonObject): JsonObject {
  const apiVersion = "example.dev/v1";
  return { manager, operation: "Apply", apiVersion, time, fieldsType: "FieldsV1", fieldsV1 };
}
