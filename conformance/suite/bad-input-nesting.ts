import { ConfigMap } from "trimtab/api/core/v1";
import { badRequest } from "../bad-request.ts";
import { scenario } from "../scenario.ts";
import { wire } from "../wire.ts";

const levels = 10_002;
const lists = "[".repeat(levels) + "]".repeat(levels);
const objects = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const flows = `${"{a: ".repeat(levels)}1${"}".repeat(levels)}`;

const unreadable = (why: string, start: string): string =>
  `the object provided is unrecognized (must be of type ConfigMap): ${why} (${start} ...)`;

const bodies = [
  {
    type: "application/json",
    body: `{"metadata":{"name":"a"},"x":${lists}}`,
    message: unreadable(
      "couldn't get version/kind; json parse error: invalid character '[' exceeded max depth",
      '{"metadata":{"name":"a"},"x":[',
    ),
  },
  {
    type: "application/json",
    body: `{"metadata":{"name":"a"},"x":${objects}}`,
    message: unreadable(
      "couldn't get version/kind; json parse error: invalid character '{' exceeded max depth",
      '{"metadata":{"name":"a"},"x":{',
    ),
  },
  {
    type: "application/yaml",
    body: `a: ${lists}`,
    message: unreadable(
      "yaml: exceeded max depth of 10000",
      "613a205b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b",
    ),
  },
  {
    type: "application/yaml",
    body: `a: ${flows}`,
    message: unreadable(
      "yaml: exceeded max depth of 10000",
      "613a207b613a207b613a207b613a207b613a207b613a207b613a207b613a",
    ),
  },
];

for (const { type, body, message } of bodies) {
  scenario(`${type} nested ${levels} deep, ${body.slice(-5)}, is refused`, async (stage) => {
    const { client, namespace, expect } = stage;
    const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
    const response = await wire(client, `POST ${path}`, { body, headers: { "content-type": type } });
    expect(response.body).toEqual(badRequest(message));
  });
}

const decoding = "error decoding patch: invalid character";
const converting = "error decoding YAML: error converting YAML to JSON: yaml:";
const patches = [
  { type: "merge-patch+json", body: `{"x":${objects}}`, message: `${decoding} '{' exceeded max depth` },
  {
    type: "strategic-merge-patch+json",
    body: `{"x":${objects}}`,
    message: "invalid character '{' exceeded max depth",
  },
  {
    type: "json-patch+json",
    body: `[{"op":"add","path":"/x","value":${lists}}]`,
    message: `${decoding} '[' exceeded max depth`,
  },
  {
    type: "apply-patch+yaml",
    body: `{"apiVersion":"v1","kind":"ConfigMap","x":${objects}}`,
    message: `${converting} exceeded max depth of 10000`,
  },
  {
    type: "apply-patch+yaml",
    body: `apiVersion: v1\nkind: ConfigMap\nx: ${lists}`,
    message: `${converting} line 3: exceeded max depth of 10000`,
  },
];

for (const { type, body, message } of patches) {
  scenario(`a ${type} nested ${levels} deep, ${body.slice(0, 9)}, is refused`, async (stage) => {
    const { client, namespace, expect } = stage;
    await client.create(ConfigMap, { metadata: { name: "a" } });
    const path = `/api/v1/namespaces/${namespace}/configmaps/a` as const;
    const manager = type.startsWith("apply") ? "?fieldManager=m" : "";
    const headers = { "content-type": `application/${type}` };
    const response = await wire(client, `PATCH ${path}${manager}`, { body, headers });
    expect(response.body).toEqual(badRequest(message));
  });
}
