import { ConfigMap } from "trimtab/api/core/v1";
import { badRequest } from "../bad-request.ts";
import { things, version } from "../defined.ts";
import { scenario } from "../scenario.ts";
import { warningsOf, wire } from "../wire.ts";

/** Names that are special in JavaScript, and not in Kubernetes. */
const inherited = '{"__proto__":"a","constructor":"b","hasOwnProperty":"c","toString":"d"}';

const json = { "content-type": "application/json" };
const merge = { "content-type": "application/merge-patch+json" };
const strategic = { "content-type": "application/strategic-merge-patch+json" };
const steps = { "content-type": "application/json-patch+json" };
const apply = { "content-type": "application/apply-patch+yaml" };

/** Returns the text of a part of a response, because parsing may lose `__proto__`. */
function part(text: string, name: string): string | undefined {
  return new RegExp(`"${name}":(\\{[^{}]*\\})`).exec(text)?.[1];
}

scenario(
  "keys with names of JavaScript properties are ordinary data",
  async ({ client, namespace, expect }) => {
    const body = `{"metadata":{"name":"a"},"data":${inherited}}`;
    const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
    const made = await wire(client, `POST ${path}`, { body, headers: json });
    expect([made.status, part(made.text, "data")]).toEqual([201, inherited]);
    expect(part(made.text, "f:data")).toBeUndefined();
    const read = await wire(client, `GET ${path}/a`);
    expect(part(read.text, "data")).toBe(inherited);
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
);

scenario("unknown fields with names of JavaScript properties are dropped with a warning", async (stage) => {
  const { client, namespace, expect } = stage;
  const body = '{"metadata":{"name":"a"},"__proto__":{"x":1},"constructor":{"prototype":{"y":2}}}';
  const response = await wire(client, `POST /api/v1/namespaces/${namespace}/configmaps`, {
    body,
    headers: json,
  });
  expect(response.status).toBe(201);
  expect(warningsOf(response)).toEqual(['unknown field "__proto__"', 'unknown field "constructor"']);
  expect(response.text).not.toMatch(/__proto__|constructor/);
});

scenario(
  "unknown fields with names of JavaScript properties are refused with fieldValidation Strict",
  async (stage) => {
    const { client, namespace, expect } = stage;
    const body = '{"metadata":{"name":"a"},"__proto__":{"x":1},"constructor":1}';
    const path = `/api/v1/namespaces/${namespace}/configmaps?fieldValidation=Strict` as const;
    const response = await wire(client, `POST ${path}`, { body, headers: json });
    expect(response.body).toEqual(
      badRequest(
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "__proto__", unknown field "constructor"',
      ),
    );
  },
);

scenario("a duplicate key __proto__ is reported", async ({ client, namespace, expect }) => {
  const body = '{"metadata":{"name":"a"},"data":{"__proto__":"1","__proto__":"2"}}';
  const path = `/api/v1/namespaces/${namespace}/configmaps?fieldValidation=Strict` as const;
  const response = await wire(client, `POST ${path}`, { body, headers: json });
  expect(response.body).toEqual(
    badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.__proto__"',
    ),
  );
});

scenario(
  "labels may have names of JavaScript properties, unless these are invalid label names",
  async (stage) => {
    const { client, namespace, expect } = stage;
    const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
    const labels = '{"constructor":"b","toString":"c"}';
    const made = await wire(client, `POST ${path}`, {
      body: `{"metadata":{"name":"a","labels":${labels}}}`,
      headers: json,
    });
    expect(part(made.text, "labels")).toBe(labels);
    const refused = await wire(client, `POST ${path}`, {
      body: '{"metadata":{"name":"b","labels":{"__proto__":"z"}}}',
      headers: json,
    });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('Invalid value: \\"__proto__\\"'),
    ]);
  },
);

const patches = [
  [merge, '{"data":{"__proto__":"p","constructor":"q"}}'],
  [strategic, '{"data":{"__proto__":"p","constructor":"q"}}'],
  [
    steps,
    '[{"op":"add","path":"/data/__proto__","value":"p"},{"op":"add","path":"/data/constructor","value":"q"}]',
  ],
] as const;

for (const [headers, body] of patches) {
  scenario(`${headers["content-type"]} sets keys with names of JavaScript properties`, async (stage) => {
    const { client, namespace, expect } = stage;
    await client.create(ConfigMap, { metadata: { name: "a" }, data: { a: "1" } });
    const path = `/api/v1/namespaces/${namespace}/configmaps/a` as const;
    const response = await wire(client, `PATCH ${path}`, { body, headers });
    expect([response.status, part(response.text, "data")]).toEqual([
      200,
      '{"__proto__":"p","a":"1","constructor":"q"}',
    ]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
}

for (const path of ["/__proto__/polluted", "/constructor/prototype/polluted"]) {
  scenario(`a JSON patch of ${path} does not apply`, async ({ client, namespace, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const body = `[{"op":"add","path":"${path}","value":"yes"}]`;
    const target = `/api/v1/namespaces/${namespace}/configmaps/a` as const;
    const response = await wire(client, `PATCH ${target}`, { body, headers: steps });
    expect(response.body).toMatchObject({
      code: 422,
      reason: "Invalid",
      message: "the server rejected our request due to an error in our request",
    });
  });
}

scenario("applied keys with names of JavaScript properties are owned, and conflict", async (stage) => {
  const { client, namespace, expect } = stage;
  const path = `/api/v1/namespaces/${namespace}/configmaps/a` as const;
  const data = '{"__proto__":"p","constructor":"q"}';
  const body = (of: string) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":${of}}`;
  const made = await wire(client, `PATCH ${path}?fieldManager=m`, { body: body(data), headers: apply });
  expect([made.status, part(made.text, "data")]).toEqual([201, data]);
  expect(made.text).toContain('{"f:data":{"f:__proto__":{},"f:constructor":{}}}');
  const other = await wire(client, `PATCH ${path}?fieldManager=n`, {
    body: body('{"__proto__":"z"}'),
    headers: apply,
  });
  expect(other.body).toMatchObject({
    code: 409,
    message: 'Apply failed with 1 conflict: conflict with "m": .data.__proto__',
  });
});

const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

scenario("custom objects that preserve unknown fields preserve __proto__", async (stage) => {
  await using kind = await things(stage, [version("v1", { open: anything })]);
  const { client, expect } = stage;
  const spec = '{"open":{"__proto__":{"z":3},"constructor":"c"}}';
  const body = JSON.stringify(kind.thing("a", {})).replace('"spec":{}', `"spec":${spec}`);
  const made = await wire(client, `POST ${kind.path("v1")}`, { body, headers: json });
  expect(made.status).toBe(201);
  expect(made.text).toContain(`"spec":${spec}`);
  const patch = '{"spec":{"open":{"__proto__":{"polluted":"yes"},"constructor":null}}}';
  const patched = await wire(client, `PATCH ${kind.path("v1")}/a`, { body: patch, headers: merge });
  const { open } = (patched.body as { spec: { open: object } }).spec;
  expect(Object.entries(open)).toEqual([["__proto__", { polluted: "yes", z: 3 }]]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

scenario("custom objects that prune unknown fields prune __proto__", async (stage) => {
  await using kind = await things(stage, [version("v1", { size: { type: "integer" } })]);
  const { client, expect } = stage;
  const spec = '"spec":{"__proto__":{"z":3},"constructor":"c"}';
  const body = JSON.stringify(kind.thing("a", {})).replace('"spec":{}', spec);
  const made = await wire(client, `POST ${kind.path("v1")}`, { body, headers: json });
  expect([made.status, warningsOf(made)]).toEqual([
    201,
    ['unknown field "spec.__proto__"', 'unknown field "spec.constructor"'],
  ]);
  expect(made.text).toContain('"spec":{}');
  const applied = await wire(client, `PATCH ${kind.path("v1")}/b?fieldManager=m`, {
    body: body.replace('"name":"a"', '"name":"b"'),
    headers: apply,
  });
  expect([applied.status, applied.text]).toEqual([
    500, // the server names the first of the two fields that it finds
    expect.stringMatching(/: \.spec\.(__proto__|constructor): field not declared in schema/),
  ]);
});

scenario("long warnings are shortened, and dropped above a limit", async ({ client, namespace, expect }) => {
  const names = Array.from({ length: 40 }, (_, index) => `k${index}`.padEnd(300, "x"));
  const fields = Object.fromEntries(names.map((name) => [name, 1]));
  const body = { metadata: { name: "a" }, ...fields };
  const response = await wire(client, `POST /api/v1/namespaces/${namespace}/configmaps`, { body });
  const warning = [response.headers.warning ?? []].flat().join(", ");
  const cut = names.slice(0, 16).map((name) => `unknown field "${name}"`.slice(0, 256));
  expect(warning).toBe(cut.map((text) => `299 - "${text.replaceAll('"', '\\"')}"`).join(", "));
});

scenario("many short warnings are dropped above a limit", async ({ client, namespace, expect }) => {
  const names = Array.from({ length: 90 }, (_, index) => `k${index}`.padEnd(60, "x"));
  const fields = Object.fromEntries(names.map((name) => [name, 1]));
  const body = { metadata: { name: "b" }, ...fields };
  const response = await wire(client, `POST /api/v1/namespaces/${namespace}/configmaps`, { body });
  const warning = [response.headers.warning ?? []].flat().join(", ");
  const sent = names.slice(0, 54).map((name) => `unknown field "${name}"`);
  expect(warning).toBe(sent.map((text) => `299 - "${text.replaceAll('"', '\\"')}"`).join(", "));
});
