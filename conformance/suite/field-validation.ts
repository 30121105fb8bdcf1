import { scenario } from "../scenario.ts";
import { web } from "../web.ts";
import { statusMessage, warningsOf, wire } from "../wire.ts";

/** A Deployment with an unknown and a duplicate field. */
function odd(): string {
  const { metadata, spec } = web(1);
  const text = JSON.stringify({ metadata, spec: { ...spec, odd: 1 } });
  return text.replace('"replicas":1', '"replicas":1,"replicas":2');
}

const faults = ['unknown field "spec.odd"', 'duplicate field "spec.replicas"'];
const decoding = 'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error:';

function pathIn(namespace: string): `/${string}` {
  return `/apis/apps/v1/namespaces/${namespace}/deployments`;
}

scenario(
  "a create reports unknown and duplicate fields according to fieldValidation",
  async ({ client, namespace, expect }) => {
    const send = (validation: string) =>
      wire(client, `POST ${pathIn(namespace)}?dryRun=All${validation}`, { body: odd() });
    const strict = await send("&fieldValidation=Strict");
    const [code, message] = statusMessage(strict);
    expect([code, message.startsWith(decoding), ...faults.map((fault) => message.includes(fault))]).toEqual([
      400,
      true,
      true,
      true,
    ]);
    const [warned, ignored] = [await send(""), await send("&fieldValidation=Ignore")];
    expect([warned.status, warningsOf(warned).sort()]).toEqual([201, [...faults].sort()]);
    expect([ignored.status, warningsOf(ignored)]).toEqual([201, []]);
    expect((warned.body as { spec: { replicas: number } }).spec.replicas).toBe(2);
  },
);

scenario(
  "an update reports unknown and duplicate fields according to fieldValidation",
  async ({ client, namespace, expect }) => {
    await wire(client, `POST ${pathIn(namespace)}`, { body: web(1) });
    const send = (validation: string) =>
      wire(client, `PUT ${pathIn(namespace)}/web?${validation}`, { body: odd() });
    const [code, message] = statusMessage(await send("fieldValidation=Strict"));
    expect([code, message.startsWith(decoding)]).toEqual([400, true]);
    expect(warningsOf(await send("fieldValidation=Warn")).sort()).toEqual([...faults].sort());
    expect(warningsOf(await send("fieldValidation=Ignore"))).toEqual([]);
  },
);

scenario("patches of every type report unknown fields", async ({ client, namespace, expect }) => {
  await wire(client, `POST ${pathIn(namespace)}`, { body: web(1) });
  const types = {
    "application/json-patch+json": [{ op: "add", path: "/spec/odd", value: 1 }],
    "application/merge-patch+json": { spec: { odd: 1 } },
    "application/strategic-merge-patch+json": { spec: { odd: 1 } },
  };
  for (const [type, body] of Object.entries(types)) {
    const send = (validation: string) =>
      wire(client, `PATCH ${pathIn(namespace)}/web?fieldValidation=${validation}`, {
        body,
        headers: { "content-type": type },
      });
    const [code, message] = statusMessage(await send("Strict"));
    expect([type, code, message.endsWith('strict decoding error: unknown field "spec.odd"')]).toEqual([
      type,
      422,
      true,
    ]);
    expect([type, warningsOf(await send("Warn"))]).toEqual([type, ['unknown field "spec.odd"']]);
    expect([type, warningsOf(await send("Ignore"))]).toEqual([type, []]);
  }
});

scenario("a strict apply refuses a duplicate field", async ({ client, namespace, expect }) => {
  const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1","x":"2"}}`;
  const line = `PATCH /api/v1/namespaces/${namespace}/configmaps/a?fieldManager=m&fieldValidation=` as const;
  const headers = { "content-type": "application/apply-patch+yaml" };
  expect(statusMessage(await wire(client, `${line}Strict`, { body, headers }))).toEqual([
    400,
    'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 1: key "x" already set in map',
  ]);
});

scenario("fields in lists are reported with their index", async ({ client, namespace, expect }) => {
  const { metadata, spec } = web(1);
  const containers = [
    { name: "main", image: "registry.example/a:1", odd: 1, ports: [{ containerPort: 1, odd: 2 }] },
  ];
  const body = {
    metadata,
    spec: { ...spec, template: { metadata: spec?.template?.metadata, spec: { containers } } },
  };
  expect(warningsOf(await wire(client, `POST ${pathIn(namespace)}?dryRun=All`, { body }))).toEqual([
    'unknown field "spec.template.spec.containers[0].odd"',
    'unknown field "spec.template.spec.containers[0].ports[0].odd"',
  ]);
});

scenario("an unknown fieldValidation or dryRun is refused", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
  const messageOf = async (query: string) =>
    statusMessage(await wire(client, `POST ${path}?${query}`, { body: { metadata: { name: "a" } } }));
  const head = 'CreateOptions.meta.k8s.io "" is invalid:';
  expect(await messageOf("fieldValidation=Nope")).toEqual([
    422,
    `${head} fieldValidation: Unsupported value: "Nope": supported values: "", "Ignore", "Strict", "Warn"`,
  ]);
  expect(await messageOf("dryRun=Nope")).toEqual([
    422,
    `${head} dryRun: Unsupported value: ["Nope"]: supported values: "All"`,
  ]);
});

scenario(
  "a dry run of a create returns a uid and no resourceVersion",
  async ({ client, namespace, expect }) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
    const { status, body } = await wire(client, `POST ${path}?dryRun=All`, {
      body: { metadata: { name: "a" } },
    });
    const { uid, resourceVersion } = (body as { metadata: Record<string, string> }).metadata;
    expect([status, typeof uid, resourceVersion]).toEqual([201, "string", undefined]);
    expect((await wire(client, `GET ${path}/a`)).status).toBe(404);
  },
);

scenario("a dry run fails for the same reasons as a real request", async ({ client, namespace, expect }) => {
  const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
  await wire(client, `POST ${path}`, { body: { metadata: { name: "a" } } });
  const again = await wire(client, `POST ${path}?dryRun=All`, { body: { metadata: { name: "a" } } });
  expect(statusMessage(again)).toEqual([409, 'configmaps "a" already exists']);
});
