import { ConfigMap } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { scenario } from "../scenario.ts";
import { type TriedPatch, tryPatch } from "../tried-patch.ts";

/** Tries merge patches on a ConfigMap, and returns its labels, data and other fields. */
async function configMap(client: Client, namespace: string) {
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { a: "1", b: "2" } });
  const path = `/api/v1/namespaces/${namespace}/configmaps/a`;
  return async (patch: unknown, fieldValidation?: TriedPatch["fieldValidation"]): Promise<unknown> => {
    const tried = await tryPatch(client, { path, type: "merge", patch, fieldValidation });
    if (!("object" in tried)) return tried;
    const { metadata, data } = tried.object as ConfigMap;
    return { labels: metadata.labels, data, warnings: tried.warnings };
  };
}

const bad = (message: string) => ({ code: 400, reason: "BadRequest", message });

scenario("a merge patch must be an object", async ({ client, namespace, expect }) => {
  const patched = await configMap(client, namespace);
  const wrong = (type: string) =>
    bad(`error decoding patch: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`);
  expect(await patched("null")).toEqual(bad("Invalid JSON Patch"));
  expect(await patched("[]")).toEqual(wrong("array"));
  expect(await patched('"x"')).toEqual(wrong("string"));
  expect(await patched("1")).toEqual(wrong("number"));
  expect(await patched("true")).toEqual(wrong("bool"));
  expect(await patched("{a:1}")).toEqual(
    bad("error decoding patch: invalid character 'a' looking for beginning of object key string"),
  );
  expect(await patched("{} x")).toEqual(
    bad("error decoding patch: invalid character 'x' after top-level value"),
  );
  for (const text of ["null", "1", "", "{", "{a:1}"]) {
    expect({ text, response: await patched(text, "Ignore") }).toEqual({
      text,
      response: bad("Invalid JSON Patch"),
    });
  }
});

scenario("nulls in a merge patch remove fields, and have no effect on absent fields", async (stage) => {
  const { client, namespace, expect } = stage;
  const patched = await configMap(client, namespace);
  expect(await patched({ metadata: { labels: { x: null, y: "1" } }, data: { a: null, z: null } })).toEqual({
    labels: { y: "1" },
    data: { b: "2" },
    warnings: [],
  });
  expect(await patched({ data: null, metadata: { labels: null } })).toEqual({ warnings: [] });
});

scenario("the second of two duplicate keys in a merge patch wins", async (stage) => {
  const { client, namespace, expect } = stage;
  const patched = await configMap(client, namespace);
  expect(await patched('{"data":{"c":"1","c":"2"}}')).toEqual({
    data: { a: "1", b: "2", c: "2" },
    warnings: ['duplicate field "data.c"'],
  });
});

scenario("__proto__ and constructor are ordinary keys", async ({ client, namespace, expect }) => {
  const patched = await configMap(client, namespace);
  const text = '{"data":{"__proto__":"1","constructor":"2"},"__proto__":{"a":1}}';
  const after = JSON.stringify(await patched(text));
  expect(JSON.parse(after, (key, value) => (key === "__proto__" ? undefined : value))).toEqual({
    data: { a: "1", b: "2", constructor: "2" },
    warnings: ['unknown field "__proto__"'],
  });
  expect(after).toContain('"__proto__":"1"');
});

scenario("a patch with more than ten thousand levels is refused", async ({ client, namespace, expect }) => {
  const patched = await configMap(client, namespace);
  const nested = (levels: number) => `${'{"x":'.repeat(levels)}1${"}".repeat(levels)}`;
  expect(await patched(nested(500))).toEqual({
    data: { a: "1", b: "2" },
    warnings: ['unknown field "x"'],
  });
  expect(await patched(nested(10_001))).toEqual(
    bad("error decoding patch: invalid character '{' exceeded max depth"),
  );
});
