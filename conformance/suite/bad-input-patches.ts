import { ConfigMap } from "trimtab/api/core/v1";
import { refused } from "../bad-request.ts";
import { scenario } from "../scenario.ts";
import { wire } from "../wire.ts";

/** Patches of `{ data: { a: "1" } }` that cannot be parsed or do not apply. */
const patches: ReadonlyArray<
  readonly [
    type: keyof typeof types,
    patch: string,
    code: number,
    reason: string | undefined,
    message: string,
  ]
> = [
  [
    "json",
    "{}",
    400,
    "BadRequest",
    "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
  ],
  ["json", "[", 400, "BadRequest", "error decoding patch: unexpected end of JSON input"],
  ["json", "", 400, "BadRequest", "error decoding patch: unexpected end of JSON input"],
  [
    "json",
    '[{"op":"frob","path":"/data/a"}]',
    422,
    "Invalid",
    "the server rejected our request due to an error in our request",
  ],
  [
    "json",
    '[{"op":"test","path":"/data/a","value":"no"}]',
    422,
    "Invalid",
    "the server rejected our request due to an error in our request",
  ],
  [
    "json",
    '[{"op":"add","path":"/x/y/z","value":"no"}]',
    422,
    "Invalid",
    "the server rejected our request due to an error in our request",
  ],
  [
    "json",
    '[{"op":"remove","path":"/data/nope"}]',
    422,
    "Invalid",
    "the server rejected our request due to an error in our request",
  ],
  [
    "json",
    '[{"op":"add","value":1}]',
    422,
    "Invalid",
    "the server rejected our request due to an error in our request",
  ],
  [
    "json",
    '[{"op":"add","path":"data","value":"x"}]',
    422,
    "Invalid",
    "the server rejected our request due to an error in our request",
  ],
  [
    "json",
    '[{"op":"replace","path":"","value":{}}]',
    400,
    "BadRequest",
    "the name of the object (base based on URL) was undeterminable: name must be provided",
  ],
  [
    "merge",
    "[]",
    400,
    "BadRequest",
    "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
  ],
  [
    "merge",
    "5",
    400,
    "BadRequest",
    "error decoding patch: json: cannot unmarshal number into Go value of type map[string]interface {}",
  ],
  ["merge", "null", 400, "BadRequest", "Invalid JSON Patch"],
  ["merge", "{", 400, "BadRequest", "error decoding patch: unexpected end of JSON input"],
  ["merge", "", 400, "BadRequest", "error decoding patch: unexpected end of JSON input"],
  [
    "merge",
    '{"metadata":{"name":"other"}}',
    400,
    "BadRequest",
    "the name of the object (other) does not match the name on the URL (base)",
  ],
  [
    "strategic-merge",
    "[]",
    400,
    "BadRequest",
    "json: cannot unmarshal array into Go value of type map[string]interface {}",
  ],
  ["strategic-merge", "{", 400, "BadRequest", "unexpected end of JSON input"],
  [
    "strategic-merge",
    '{"data":{"$patch":"frob"}}',
    500,
    undefined,
    "unknown patch type: frob in map: map[$patch:frob]",
  ],
  [
    "apply",
    "a: b: c",
    400,
    "BadRequest",
    "error decoding YAML: error converting YAML to JSON: yaml: mapping values are not allowed in this context",
  ],
  ["apply", "", 400, "BadRequest", "invalid object type: /, Kind="],
  [
    "apply",
    "[]",
    400,
    "BadRequest",
    "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}",
  ],
  [
    "apply",
    '{"apiVersion":"v1","kind":"ConfigMap"}',
    422,
    "Invalid",
    'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
  ],
  [
    "apply",
    '{"apiVersion":"v1","kind":"Secret"}',
    400,
    "BadRequest",
    "invalid object type: /v1, Kind=Secret",
  ],
  [
    "apply",
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"managedFields":[{}]}}',
    400,
    "BadRequest",
    "metadata.managedFields must be nil",
  ],
];

const types = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  "strategic-merge": "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

for (const [type, body, code, reason, message] of patches) {
  scenario(`${type} patch: ${body || "nothing"} is refused`, async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "base" }, data: { a: "1" } });
    const manager = type === "apply" && code !== 422 ? "?fieldManager=m" : "";
    const path = `/api/v1/namespaces/${namespace}/configmaps/base${manager}` as const;
    const response = await wire(client, `PATCH ${path}`, { body, headers: { "content-type": types[type] } });
    expect(response.body).toMatchObject(refused(code, reason, message));
    expect((await client.get(ConfigMap, "base"))?.data).toEqual({ a: "1" });
  });
}

scenario("a patch that changes the kind of an object is refused with the resulting object", async (stage) => {
  const { client, namespace, expect } = stage;
  await client.create(ConfigMap, { metadata: { name: "base" }, data: { b: "2", a: "1" } });
  const path = `/api/v1/namespaces/${namespace}/configmaps/base` as const;
  const response = await wire(client, `PATCH ${path}`, { body: { kind: "ServiceAccount" } });
  const { message } = response.body as { message: string };
  const shown = message
    .replace(/\\"(uid|resourceVersion|time|creationTimestamp)\\":\\"[^\\]*\\"/g, "<$1>")
    .replace(/\\"manager\\":\\"[^\\]*\\"/, "<manager>");
  expect(shown).toBe(
    ` "" is invalid: patch: Invalid value: "{\\"apiVersion\\":\\"v1\\",\\"data\\":{\\"a\\":\\"1\\",\\"b\\":\\"2\\"},\\"kind\\":\\"ServiceAccount\\",\\"metadata\\":{\\"name\\":\\"base\\",\\"namespace\\":\\"${namespace}\\",<uid>,<resourceVersion>,<creationTimestamp>,\\"managedFields\\":[{<manager>,\\"operation\\":\\"Update\\",\\"apiVersion\\":\\"v1\\",<time>,\\"fieldsType\\":\\"FieldsV1\\",\\"fieldsV1\\":{\\"f:data\\":{\\".\\":{},\\"f:a\\":{},\\"f:b\\":{}}}}]}}": converting (v1.ServiceAccount) to (core.ConfigMap): unknown conversion`,
  );
});
