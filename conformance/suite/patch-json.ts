import { ConfigMap } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { scenario } from "../scenario.ts";
import { type Tried, type TriedPatch, tryPatch } from "../tried-patch.ts";

const finalizers = ["example.dev/a", "example.dev/b"];
const data = { a: "1", b: "2" };

/** Tries patches on a ConfigMap. `tell` selects the reported part of the result. */
async function configMap(client: Client, namespace: string, values: Record<string, string> = data) {
  await client.create(ConfigMap, { metadata: { name: "a", finalizers }, data: values });
  const path = `/api/v1/namespaces/${namespace}/configmaps/a`;
  return async (patch: unknown, fieldValidation?: TriedPatch["fieldValidation"]): Promise<unknown> =>
    summary(await tryPatch(client, { path, type: "json", patch, fieldValidation }));
}

/** Returns its data and finalizers, and the server's warnings, if any. */
function summary(tried: Tried): unknown {
  if (!("object" in tried)) return tried;
  const { data, metadata } = tried.object as ConfigMap;
  const { warnings } = tried;
  return { data, finalizers: metadata.finalizers, ...(warnings.length > 0 && { warnings }) };
}

/** Removes finalizers, which would keep the object. */
async function letGo(client: Client): Promise<void> {
  await client.patch(ConfigMap, "a", { merge: { metadata: { finalizers: null } } });
}

const rejected = {
  code: 422,
  reason: "Invalid",
  message: "the server rejected our request due to an error in our request",
};

scenario("a JSON patch that does not apply is refused without details", async (stage) => {
  const { client, namespace, expect } = stage;
  const patched = await configMap(client, namespace);
  for (const patch of [
    [{ op: "remove", path: "/data/c" }],
    [{ op: "add", path: "/metadata/labels/x", value: "1" }],
    [{ op: "add", path: "/data/a/x", value: "1" }],
    [{ op: "add", path: "", value: {} }],
    [{ op: "test", path: "/metadata/labels/x", value: null }],
    [{ op: "test", path: "/data/a" }],
    [{ op: "move", from: "/data/c", path: "/data/d" }],
    [{ op: "move", from: "/data", path: "/data/a" }],
    [{ op: "copy", path: "/data/c" }],
    [{ op: "replace", path: "/metadata/finalizers/-", value: "x" }],
    [{ op: "add", path: "/metadata/finalizers/3", value: "x" }],
    [{ op: "remove", path: "/metadata/finalizers/-3" }],
    [{ op: "remove", path: "/metadata/finalizers/first" }],
    [{ op: "remove", path: "data" }],
    [{ op: "remove" }],
    [{ op: "remove", path: null }],
    [{ op: "REMOVE", path: "/data/a" }],
    [{ op: "constructor", path: "/data/a" }],
    [{ path: "/data/a" }],
    [null],
    [{ op: "replace", path: "", value: null }],
    [{ op: "replace", path: "", value: "x" }],
  ]) {
    expect({ patch, response: await patched(patch) }).toEqual({ patch, response: rejected });
  }
  await letGo(client);
});

scenario("a JSON patch accepts more than the RFC", async ({ client, namespace, expect }) => {
  const patched = await configMap(client, namespace);
  const dataAfter = async (...patch: unknown[]) => ((await patched(patch)) as { data?: unknown }).data;
  expect(await dataAfter({ op: "replace", path: "/data/c", value: "3" })).toEqual({ ...data, c: "3" });
  expect(await dataAfter({ op: "copy", from: "/data/c", path: "/data/d" })).toEqual({ ...data, d: "" });
  expect(await dataAfter({ op: "add", path: "/data/c" })).toEqual({ ...data, c: "" });
  expect(await dataAfter({ op: "test", path: "/data/c" })).toEqual(data);
  expect(await dataAfter({ op: "remove", path: "elsewhere/data/a" })).toEqual({ b: "2" });
  expect(await dataAfter()).toEqual(data);
  expect(await patched("null")).toEqual({ data, finalizers });
  await letGo(client);
});

scenario("a JSON patch accepts negative indexes", async ({ client, namespace, expect }) => {
  const patched = await configMap(client, namespace);
  const [a, b] = finalizers;
  const after = async (...patch: unknown[]) =>
    ((await patched(patch)) as { finalizers?: unknown }).finalizers;
  const list = "/metadata/finalizers";
  const value = "example.dev/c";
  expect(await after({ op: "remove", path: `${list}/-1` })).toEqual([a]);
  expect(await after({ op: "replace", path: `${list}/-2`, value })).toEqual([value, b]);
  expect(await after({ op: "add", path: `${list}/-1`, value })).toEqual([a, b, value]);
  expect(await after({ op: "add", path: `${list}/2`, value })).toEqual([a, b, value]);
  expect(await after({ op: "add", path: `${list}/-`, value })).toEqual([a, b, value]);
  expect(await after({ op: "add", path: `${list}/1`, value })).toEqual([a, value, b]);
  expect(await after({ op: "remove", path: `${list}/+1` })).toEqual([a]);
  expect(await after({ op: "remove", path: `${list}/00` })).toEqual([b]);
  await letGo(client);
});

scenario("a test of a JSON patch compares the text of values", async ({ client, namespace, expect }) => {
  const patched = await configMap(client, namespace, { a: "x&y", b: "é", c: "/" });
  const test = async (key: string, literal: string) =>
    Object.keys((await patched(`[{"op":"test","path":"/data/${key}","value":${literal}}]`)) as object)[0];
  expect({
    plainAmpersand: await test("a", '"x&y"'),
    escapedAmpersand: await test("a", String.raw`"x\u0026y"`),
    plainLetter: await test("b", '"é"'),
    escapedLetter: await test("b", String.raw`"\u00e9"`),
    plainSlash: await test("c", '"/"'),
    escapedSlash: await test("c", String.raw`"\/"`),
  }).toEqual({
    plainAmpersand: "code",
    escapedAmpersand: "data",
    plainLetter: "data",
    escapedLetter: "code",
    plainSlash: "data",
    escapedSlash: "code",
  });
  await letGo(client);
});

scenario("a test of a JSON patch works for any text", async ({ client, expect }) => {
  const value = '<a> & b\u2028\u2029é\n\u0001"';
  await client.create(ConfigMap, { metadata: { name: "a" }, data: { text: value } });
  const { data } = await client.patch(ConfigMap, "a", {
    json: [
      { op: "test", path: "/data/text", value },
      { op: "add", path: "/data/found", value: "yes" },
    ],
  });
  expect(data).toEqual({ text: value, found: "yes" });
});

scenario(
  "a JSON patch with wrong types is an error that names the expected type",
  async ({ client, namespace, expect }) => {
    const patched = await configMap(client, namespace);
    const bad = (message: string) => ({ code: 400, reason: "BadRequest", message });
    const step = "handlers.jsonPatchOp";
    const cannot = "json: cannot unmarshal";
    expect(await patched({})).toEqual(
      bad(`error decoding patch: ${cannot} object into Go value of type []${step}`),
    );
    expect(await patched([1])).toEqual(
      bad(`error decoding patch: ${cannot} number into Go value of type ${step}`),
    );
    expect(await patched([{ op: true }])).toEqual(
      bad(`error decoding patch: ${cannot} bool into Go struct field jsonPatchOp.op of type string`),
    );
    expect(await patched([{ op: "move", from: [], path: 1 }])).toEqual(
      bad(`error decoding patch: ${cannot} array into Go struct field jsonPatchOp.from of type string`),
    );
    expect(await patched("[{")).toEqual(bad("error decoding patch: unexpected end of JSON input"));
    expect(await patched("")).toEqual(bad("error decoding patch: unexpected end of JSON input"));
    expect(await patched({}, "Ignore")).toEqual(
      bad(`${cannot} object into Go value of type jsonpatch.Patch`),
    );
    expect(await patched([1], "Ignore")).toEqual(
      bad(`${cannot} number into Go value of type jsonpatch.Operation`),
    );
    expect(await patched("[{", "Ignore")).toEqual(bad("unexpected end of JSON input"));
    expect(await patched([{ op: 1, path: "/data/a" }], "Ignore")).toEqual(rejected);
    await letGo(client);
  },
);

scenario("a JSON patch has at most ten thousand operations", async ({ client, namespace, expect }) => {
  const patched = await configMap(client, namespace);
  const steps = (count: number) => Array(count).fill({ op: "test", path: "/data/a", value: "1" });
  expect(await patched(steps(10_000))).toEqual({ data, finalizers });
  expect(await patched(steps(10_001))).toEqual({
    code: 413,
    reason: "RequestEntityTooLarge",
    message: "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
  });
  await letGo(client);
});

scenario("a JSON patch copies at most three mebibytes", async ({ client, namespace, expect }) => {
  const big = "x".repeat(524_288 - 2);
  const patched = await configMap(client, namespace, { big });
  const copies = (count: number) => Array(count).fill({ op: "copy", from: "/data/big", path: "/data/copy" });
  expect(await patched(copies(6))).toEqual({ data: { big, copy: big }, finalizers });
  expect(await patched(copies(7))).toEqual(rejected);
  await letGo(client);
});

scenario("unknown members of a JSON patch cause a warning", async ({ client, namespace, expect }) => {
  const patched = await configMap(client, namespace);
  const patch = [
    { op: "add", path: "/data/c", value: "3", foo: 1 },
    { op: "test", path: "/data/a", value: "1", OP: 1 },
  ];
  expect(await patched(patch)).toEqual({
    data: { ...data, c: "3" },
    finalizers,
    warnings: ['json patch unknown field "[0].foo"', 'json patch unknown field "[1].OP"'],
  });
  expect(await patched(patch, "Ignore")).toEqual({ data: { ...data, c: "3" }, finalizers });
  const twice = '[{"op":"add","path":"/data","value":{"a":"1","a":"2"}}]';
  expect(await patched(twice)).toEqual({
    data: { a: "2" },
    finalizers,
    warnings: ['json patch duplicate field "[0].value.a"', 'duplicate field "data.a"'],
  });
  expect(await patched(patch, "Strict")).toMatchObject({
    code: 422,
    reason: "Invalid",
    message: expect.stringMatching(
      /^ "" is invalid: patch: Invalid value: ".*": strict decoding error: json patch unknown field "\[0\].foo", json patch unknown field "\[1\].OP"$/,
    ),
  });
  await letGo(client);
});

scenario("a JSON patch can replace the whole object", async (stage) => {
  const { client, namespace, expect } = stage;
  const patched = await configMap(client, namespace);
  const whole = await client.get(ConfigMap, "a");
  const value = { ...whole, data: { other: "1" } };
  expect(await patched([{ op: "replace", path: "", value }])).toEqual({ data: { other: "1" }, finalizers });
  expect(await patched([{ op: "replace", path: "", value: [1] }])).toEqual({
    code: 422,
    reason: "Invalid",
    message: String.raw` "" is invalid: patch: Invalid value: "[1]": couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
  });
  await letGo(client);
});
