import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { scenario } from "../scenario.ts";
import { type TriedPatch, tryPatch } from "../tried-patch.ts";
import { web } from "../web.ts";
import { widgets } from "../widgets.ts";

/** Tries strategic merge patches on a ConfigMap, and returns its data, labels and finalizers. */
async function configMap(client: Client, namespace: string) {
  const finalizers = ["example.dev/a", "example.dev/b"];
  await client.create(ConfigMap, { metadata: { name: "a", finalizers }, data: { a: "1", b: "2" } });
  const path = `/api/v1/namespaces/${namespace}/configmaps/a`;
  return async (patch: unknown): Promise<unknown> => {
    const tried = await tryPatch(client, { path, type: "strategic-merge", patch });
    if (!("object" in tried)) return tried;
    const { metadata, data } = tried.object as ConfigMap;
    return { data, labels: metadata.labels, finalizers: metadata.finalizers };
  };
}

/** Removes finalizers, which would keep the object. */
async function letGo(client: Client): Promise<void> {
  await client.patch(ConfigMap, "a", { merge: { metadata: { finalizers: null } } });
}

/**
 * Patches the Pod spec of a Deployment with containers a, b and c, and returns the containers as `name` or
 * `name=image`.
 */
async function deployment(client: Client, namespace: string) {
  const { metadata, spec } = web();
  const containers = ["a", "b", "c"].map((name) => ({ name, image: "one" }));
  const template = { ...spec.template, spec: { containers } };
  await client.create(Deployment, { metadata, spec: { ...spec, template } });
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web`;
  return async (pod: object, fieldValidation?: TriedPatch["fieldValidation"]): Promise<unknown> => {
    const patch = { spec: { template: { spec: pod } } };
    const tried = await tryPatch(client, { path, type: "strategic-merge", patch, fieldValidation });
    if (!("object" in tried)) return tried;
    const { spec } = tried.object as Deployment;
    return spec.template.spec?.containers.map(({ name, image }) =>
      image === "one" ? name : `${name}=${image}`,
    );
  };
}

const failed = (message: string) => ({ code: 500, message });
const bad = (message: string) => ({ code: 400, reason: "BadRequest", message });
const order = (...names: string[]) => ({ "$setElementOrder/containers": names.map((name) => ({ name })) });
const image = (name: string) => ({ name, image: "two" });
const gone = (name: string) => ({ name, $patch: "delete" });

scenario(
  "a strategic merge patch orders elements as it lists them",
  async ({ client, namespace, expect }) => {
    const after = await deployment(client, namespace);
    expect(await after({ containers: [image("b")] })).toEqual(["a", "b=two", "c"]);
    expect(await after({ containers: [image("d")] })).toEqual(["d=two", "a", "b", "c"]);
    expect(await after({ containers: [image("c"), image("d"), image("a")] })).toEqual([
      "b",
      "c=two",
      "d=two",
      "a=two",
    ]);
    expect(await after({ containers: [gone("b"), image("d")] })).toEqual(["d=two", "a", "c"]);
    expect(await after({ containers: [gone("a"), image("a")] })).toEqual(["a=two", "b", "c"]);
    expect(await after({ containers: [{ $patch: "replace" }, image("d")] })).toEqual(["d=two"]);
    expect(await after({ containers: [] })).toEqual(["a", "b", "c"]);
  },
);

scenario("$setElementOrder sets the order of elements", async ({ client, namespace, expect }) => {
  const after = await deployment(client, namespace);
  expect(await after(order("c", "a", "b"))).toEqual(["c", "a", "b"]);
  expect(await after(order("c", "b"))).toEqual(["a", "c", "b"]);
  expect(await after(order("z", "b", "a"))).toEqual(["b", "a", "c"]);
  expect(await after({ ...order("a", "d", "b"), containers: [image("d")] })).toEqual([
    "a",
    "d=two",
    "b",
    "c",
  ]);
  expect(await after({ ...order("c", "a"), containers: [gone("b")] })).toEqual(["c", "a"]);
  expect(await after({ ...order("d"), containers: [gone("a"), image("d")] })).toEqual(["b", "c", "d=two"]);
  expect(await after({ ...order(), containers: [image("d"), image("e")] })).toEqual([
    "a",
    "b",
    "c",
    "e=two",
    "d=two",
  ]);
});

scenario("a strategic merge patch that cannot be merged fails with its reason", async (stage) => {
  const { client, namespace, expect } = stage;
  const after = await deployment(client, namespace);
  expect(await after({ containers: [{ image: "two" }] })).toEqual(
    failed("map: map[image:two] does not contain declared merge key: name"),
  );
  expect(await after({ containers: [{ $patch: "delete" }] })).toEqual(
    failed("map: map[$patch:delete] does not contain declared merge key: name"),
  );
  expect(await after({ containers: [{ name: "a", $patch: "merge" }] })).toEqual(
    failed("merging lists cannot yet be specified in the patch"),
  );
  expect(await after({ containers: [{ name: "a", $patch: "vanish" }] })).toEqual(
    failed("unknown patch type: vanish in map: map[$patch:vanish name:a]"),
  );
  expect(await after({ ...order("a"), containers: [{ name: "d" }] })).toEqual(
    failed("The order in patch list:\n[map[name:d]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n"),
  );
  expect(await after({ "$setElementOrder/containers": { name: "a" } })).toEqual(
    failed("expected a []interface {}, but received a map[string]interface {}"),
  );
  expect(await after({ "$setElementOrder/containers": ["a"] })).toEqual(
    failed("value for key 0 is not a map"),
  );
  expect(await after({ "$setElementOrder/nodeSelector": [] })).toEqual(
    failed("expected slice or array type, but got: struct"),
  );
  expect(await after({ $setElementOrder: [] })).toEqual(bad("invalid patch format of setElementOrder list"));
});

scenario(
  "a strict strategic merge patch reports unknown fields of the remaining patch",
  async ({ client, namespace, expect }) => {
    const after = await deployment(client, namespace);
    const patch = {
      ...order("a"),
      containers: [{ name: "a", foo: 1 }],
      bar: [1, 2.5, null, { b: null, c: "d" }],
    };
    expect(await after(patch, "Strict")).toEqual({
      code: 422,
      reason: "Invalid",
      message:
        ' "" is invalid: patch: Invalid value: "map[spec:map[template:map[spec:map[bar:[1 2.5 <nil> map[c:d]]]]]]": strict decoding error: unknown field "spec.template.spec.bar", unknown field "spec.template.spec.containers[0].foo"',
    });
  },
);

scenario(
  "a strategic merge patch has directives for whole objects",
  async ({ client, namespace, expect }) => {
    const patched = await configMap(client, namespace);
    const finalizers = ["example.dev/a", "example.dev/b"];
    const data = { a: "1", b: "2" };
    expect(await patched({ data: { $patch: "replace", c: "3" } })).toEqual({ data: { c: "3" }, finalizers });
    expect(await patched({ data: { $patch: "delete", c: "3" } })).toEqual({ finalizers });
    expect(await patched({ metadata: { labels: { $patch: "replace", a: "1" } } })).toEqual({
      data,
      finalizers,
    });
    expect(await patched({ data: { $retainKeys: ["a", "c"], c: "3" } })).toEqual({
      data: { a: "1", c: "3" },
      finalizers,
    });
    expect(await patched({ data: { $retainKeys: ["a"], b: null } })).toEqual({
      data: { a: "1" },
      finalizers,
    });
    expect(await patched("null")).toEqual({ data, finalizers });
    await letGo(client);
  },
);

scenario("an invalid directive is refused", async ({ client, namespace, expect }) => {
  const patched = await configMap(client, namespace);
  expect(await patched({ data: { $patch: "merge", c: "3" } })).toEqual(
    failed("unknown patch type: merge in map: map[$patch:merge c:3]"),
  );
  expect(await patched({ data: { $patch: null } })).toEqual(
    failed("unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]"),
  );
  expect(await patched({ data: { $patch: { a: 1 } } })).toEqual(
    failed("unknown patch type: map[a:%!s(int64=1)] in map: map[$patch:map[a:1]]"),
  );
  expect(await patched({ data: { $retainKeys: ["a"], b: "3" } })).toEqual(
    bad("invalid patch format of retainKeys"),
  );
  expect(await patched({ data: { $retainKeys: "a" } })).toEqual(bad("invalid patch format of retainKeys"));
  expect(await patched({ metadata: { $deleteFromPrimitiveList: ["x"] } })).toEqual(
    bad("invalid patch format of primitive list"),
  );
  expect(await patched({ metadata: { finalizers: [5] } })).toEqual(
    failed("list element types are not identical: [[example.dev/a example.dev/b] [5]]"),
  );
  expect(await patched("[]")).toEqual(
    bad("json: cannot unmarshal array into Go value of type map[string]interface {}"),
  );
  await letGo(client);
});

scenario("a strategic merge patch treats lists of scalars as sets", async (stage) => {
  const { client, namespace, expect } = stage;
  const patched = await configMap(client, namespace);
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => `example.dev/${name}`);
  const after = async (metadata: object) =>
    ((await patched({ metadata })) as { finalizers?: unknown }).finalizers;
  expect(await after({ finalizers: [c] })).toEqual([c, a, b]);
  expect(await after({ finalizers: [d, b, c, d] })).toEqual([d, a, b, c]);
  expect(await after({ "$deleteFromPrimitiveList/finalizers": [a, d] })).toEqual([b]);
  expect(await after({ "$deleteFromPrimitiveList/finalizers": [a, b] })).toBeUndefined();
  expect(await after({ "$deleteFromPrimitiveList/finalizers": null })).toBeUndefined();
  expect(await after({ "$deleteFromPrimitiveList/finalizers": a })).toEqual([a, b]);
  expect(await after({ "$setElementOrder/finalizers": [b, a] })).toEqual([b, a]);
  expect(await after({ finalizers: { $patch: "delete" } })).toBeUndefined();
  await letGo(client);
});

scenario("a strategic merge patch of a custom kind is refused", async (stage) => {
  await using kinds = await widgets(stage);
  const { client, namespace, expect } = stage;
  await client.create(kinds.Widget, { metadata: { name: "a" } });
  const path = `/apis/${kinds.group}/v1/namespaces/${namespace}/widgets/a`;
  expect(await tryPatch(client, { path, type: "strategic-merge", patch: {} })).toEqual({
    code: 415,
    reason: "UnsupportedMediaType",
    message:
      "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
  });
});
