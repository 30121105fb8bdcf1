import { ConfigMap } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { things, version } from "../defined.ts";
import { managersOf } from "../masked.ts";
import { scenario } from "../scenario.ts";
import { statusMessage, type WireAnswer, wire } from "../wire.ts";

const headers = { "content-type": "application/apply-patch+yaml" };

function allIn(namespace: string): `/${string}` {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

function pathIn(namespace: string): `/${string}` {
  return `${allIn(namespace)}/a`;
}

function apply(client: Client, path: `/${string}`, body: object | string): Promise<WireAnswer> {
  return wire(client, `PATCH ${path}`, { body, headers });
}

function config(more: object): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, ...more };
}

scenario("an apply needs a field manager", async ({ client, namespace, expect }) => {
  expect(statusMessage(await apply(client, pathIn(namespace), config({})))).toEqual([
    422,
    'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
  ]);
});

scenario("an apply needs apiVersion and kind in its body", async ({ client, namespace, expect }) => {
  const path = `${pathIn(namespace)}?fieldManager=m` as const;
  const messageOf = async (body: object | string) => statusMessage(await apply(client, path, body));
  expect(await messageOf({ ...config({}), kind: "Secret" })).toEqual([
    400,
    "invalid object type: /v1, Kind=Secret",
  ]);
  expect(await messageOf({ ...config({}), apiVersion: "v2" })).toEqual([
    400,
    "invalid object type: /v2, Kind=ConfigMap",
  ]);
  expect(await messageOf({ metadata: { name: "a" } })).toEqual([400, "invalid object type: /, Kind="]);
  expect(await messageOf("null")).toEqual([400, "invalid object type: /, Kind="]);
  expect(await messageOf(config({ metadata: { name: "a", managedFields: [{ manager: "x" }] } }))).toEqual([
    400,
    "metadata.managedFields must be nil",
  ]);
  expect(await messageOf(config({ metadata: { name: "b" } }))).toEqual([
    400,
    "the name of the object (b) does not match the name on the URL (a)",
  ]);
});

scenario("force is allowed for applies only", async ({ client, namespace, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a" } });
  expect(statusMessage(await wire(client, `PATCH ${pathIn(namespace)}?force=true`, { body: {} }))).toEqual([
    422,
    'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
  ]);
});

scenario(
  "an apply that creates ignores a resourceVersion and refuses a uid",
  async ({ client, namespace, expect }) => {
    const path = `${pathIn(namespace)}?fieldManager=m` as const;
    const uid = await apply(client, path, config({ metadata: { name: "a", uid: "x" } }));
    expect([uid.status, statusMessage(uid)[1]]).toEqual([
      409,
      expect.stringContaining(
        "uid mismatch: the provided object specified uid x, and no existing object was found",
      ),
    ]);
    expect(
      (await apply(client, path, config({ metadata: { name: "a", resourceVersion: "5" } }))).status,
    ).toBe(201);
  },
);

scenario("an apply with an old resourceVersion is a conflict", async ({ client, namespace, expect }) => {
  const { metadata } = await client.create(ConfigMap, { metadata: { name: "a" } });
  await client.patch(ConfigMap, "a", { merge: { data: { k: "v" } } });
  const { resourceVersion } = metadata;
  const body = config({ metadata: { name: "a", resourceVersion } });
  expect(statusMessage(await apply(client, `${pathIn(namespace)}?fieldManager=m`, body))).toEqual([
    409,
    'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
  ]);
});

scenario(
  "fields from before the first apply belong to their earlier writers",
  async ({ client, namespace, expect }) => {
    await wire(client, `POST ${allIn(namespace)}`, {
      body: { metadata: { name: "a" }, data: { old: "1" } },
    });
    await wire(client, `PATCH ${pathIn(namespace)}`, { body: { metadata: { managedFields: [{}] } } });
    await apply(client, `${pathIn(namespace)}?fieldManager=m`, config({ data: { fresh: "1" } }));
    const made = await client.get(ConfigMap, "a");
    expect(made && managersOf(made)).toEqual([
      {
        manager: "m",
        operation: "Apply",
        apiVersion: "v1",
        time: "<time>",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { "f:fresh": {} } },
      },
      {
        manager: "before-first-apply",
        operation: "Update",
        apiVersion: "v1",
        time: "<time>",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": { ".": {}, "f:old": {} } },
      },
    ]);
  },
);

scenario("an applied empty map is owned and not stored", async ({ client, namespace, expect }) => {
  const path = pathIn(namespace);
  const labels = config({ metadata: { name: "a", labels: {} } });
  const first = (await apply(client, `${path}?fieldManager=one`, labels)).body as ConfigMap;
  expect(first.metadata.labels).toBeUndefined();
  expect(statusMessage(await apply(client, `${path}?fieldManager=two`, labels))).toEqual([
    409,
    'Apply failed with 1 conflict: conflict with "one": .metadata.labels',
  ]);
});

scenario("an apply accepts YAML", async ({ client, namespace, expect }) => {
  const body = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n";
  const { status, body: made } = await apply(client, `${pathIn(namespace)}?fieldManager=m&force=false`, body);
  expect([status, (made as ConfigMap).data]).toEqual([201, { k: "v" }]);
});

scenario(
  "a writer is identified by its field manager, or by its User-Agent up to the slash",
  async ({ client, namespace, expect }) => {
    const path = allIn(namespace);
    const managerOf = async (query: string, agent: string) => {
      const body = { metadata: { generateName: "x-" }, data: { k: "v" } };
      const response = await wire(client, `POST ${path}${query}`, { body, headers: { "user-agent": agent } });
      return (response.body as ConfigMap).metadata.managedFields?.map(({ manager }) => manager);
    };
    expect(await managerOf("?fieldManager=me", "agent/1.0")).toEqual(["me"]);
    expect(await managerOf("", "agent/1.0 (linux)")).toEqual(["agent"]);
    expect(await managerOf("", "/1.0")).toEqual(["unknown"]);
  },
);

scenario("lists of a custom kind are applied by their list types", async (stage) => {
  const { client, expect } = stage;
  const text = { type: "string" };
  const items = { type: "object", required: ["k"], properties: { k: text, v: text } };
  await using made = await things(stage, [
    version("v1", {
      set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
      keyed: { type: "array", items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] },
      atomic: { type: "array", items: text },
      whole: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
      parts: { type: "object", additionalProperties: text },
    }),
  ]);
  const path = `${made.path("v1")}/a` as const;
  const one = { set: ["a"], keyed: [{ k: "a", v: "1" }], parts: { a: "1" } };
  const two = { set: ["b"], keyed: [{ k: "b", v: "2" }], parts: { b: "2" } };
  await apply(
    client,
    `${path}?fieldManager=one`,
    made.thing("a", { ...one, atomic: ["a"], whole: { a: "1" } }),
  );
  const merged = await apply(client, `${path}?fieldManager=two`, made.thing("a", two));
  expect((merged.body as { spec: unknown }).spec).toEqual({
    set: ["a", "b"],
    keyed: [
      { k: "a", v: "1" },
      { k: "b", v: "2" },
    ],
    parts: { a: "1", b: "2" },
    atomic: ["a"],
    whole: { a: "1" },
  });
  const taken = made.thing("a", { ...two, atomic: ["b"], whole: { b: "2" } });
  const [code, message] = statusMessage(await apply(client, `${path}?fieldManager=two`, taken));
  expect([code, message]).toEqual([
    409,
    'Apply failed with 2 conflicts: conflicts with "one":\n- .spec.atomic\n- .spec.whole',
  ]);
});
