import { hookScenario as scenario } from "../hook-scenario.ts";
import { masked } from "../masked.ts";
import { type AdmissionRequest, allowing, type Hooks, hooks, patching } from "../webhooks.ts";
import { statusMessage, type WireAnswer, warningsOf, wire } from "../wire.ts";

const configMaps = (namespace: string): `/${string}` => `/api/v1/namespaces/${namespace}/configmaps`;

/** Returns the requests of a webhook, masked and without users. */
function seen({ requests }: Hooks, name: string): unknown[] {
  return (requests[name] ?? []).map(({ userInfo: _, uid: __, ...request }) => masked(request));
}

const version = (kind: string) => ({ group: "", version: "v1", kind });
const resource = { group: "", version: "v1", resource: "configmaps" };

scenario("a webhook gets the whole request", async (stage) => {
  const { client, namespace, expect } = stage;
  await using mutating = await hooks(stage, "mutating", { first: () => allowing });
  await using validating = await hooks(stage, "validating", { second: () => allowing });
  const path = `${configMaps(namespace)}?fieldManager=me&fieldValidation=Strict` as const;
  await wire(client, `POST ${path}`, { body: { metadata: { name: "a" }, data: { k: "v" } } });
  const metadata = { name: "a", namespace };
  const request = {
    kind: version("ConfigMap"),
    resource,
    requestKind: version("ConfigMap"),
    requestResource: resource,
    name: "a",
    namespace,
    operation: "CREATE",
    object: { kind: "ConfigMap", apiVersion: "v1", metadata, data: { k: "v" } },
    oldObject: null,
    dryRun: false,
    options: {
      kind: "CreateOptions",
      apiVersion: "meta.k8s.io/v1",
      fieldManager: "me",
      fieldValidation: "Strict",
    },
  };
  expect(seen(mutating, "first")).toEqual([request]);
  const stored = { ...metadata, uid: "<uid>", creationTimestamp: "<time>" };
  expect(seen(validating, "second")).toEqual([
    { ...request, object: { ...request.object, metadata: stored } },
  ]);
  const [{ userInfo } = {} as AdmissionRequest] = validating.requests.second ?? [];
  expect(userInfo).toMatchObject({ groups: expect.arrayContaining(["system:authenticated"]) });
});

scenario("a generated name is visible to validating webhooks only", async (stage) => {
  const { client, namespace, expect } = stage;
  await using mutating = await hooks(stage, "mutating", { first: () => allowing });
  await using validating = await hooks(stage, "validating", { second: () => allowing });
  const { body } = await wire(client, `POST ${configMaps(namespace)}`, {
    body: { metadata: { generateName: "a-" } },
  });
  const { name } = (body as { metadata: { name: string } }).metadata;
  const names = ({ name: own, object }: AdmissionRequest): unknown[] => [
    own,
    (object as { metadata: { name?: string } }).metadata.name,
  ];
  expect(mutating.requests.first?.map(names)).toEqual([[undefined, undefined]]);
  expect(validating.requests.second?.map(names)).toEqual([[name, name]]);
});

/** Returns what is specific to each request: the operation, the data of both objects, and the options. */
function writes({ requests }: Hooks, name: string): unknown[] {
  const dataOf = (object: unknown): unknown => (object as { data?: unknown } | null)?.data ?? null;
  return (requests[name] ?? []).map((request) => {
    const { kind, apiVersion: _, ...options } = request.options as Record<string, unknown>;
    const data = [dataOf(request.oldObject), dataOf(request.object)];
    return [`${request.operation} ${request.name ?? ""}`, ...data, kind, options, request.dryRun];
  });
}

scenario("updates, patches, applies and deletions are admitted", async (stage) => {
  const { client, namespace, expect } = stage;
  await using mutating = await hooks(stage, "mutating", { first: () => allowing });
  await using validating = await hooks(stage, "validating", { second: () => allowing });
  const path = configMaps(namespace);
  const applied = (name: string, k: string) => ({
    body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { k } },
    headers: { "content-type": "application/apply-patch+yaml" },
  });
  await wire(client, `POST ${path}`, { body: { metadata: { name: "a" }, data: { k: "1" } } });
  await wire(client, `PUT ${path}/a?dryRun=All`, { body: { metadata: { name: "a" }, data: { k: "2" } } });
  await wire(client, `PATCH ${path}/a`, { body: { data: { k: "3" } } });
  await wire(client, `PATCH ${path}/a?fieldManager=app&force=true`, applied("a", "4"));
  await wire(client, `PATCH ${path}/b?fieldManager=app`, applied("b", "5"));
  await wire(client, `DELETE ${path}/a`, { body: { propagationPolicy: "Background" } });
  await wire(client, `DELETE ${path}`);
  const data = (k: string) => ({ k });
  const expected = [
    ["CREATE a", null, data("1"), "CreateOptions", {}, false],
    ["UPDATE a", data("1"), data("2"), "UpdateOptions", { dryRun: ["All"] }, true],
    ["UPDATE a", data("1"), data("3"), "UpdateOptions", {}, false],
    ["UPDATE a", data("3"), data("4"), "UpdateOptions", { fieldManager: "app" }, false],
    ["CREATE b", null, data("5"), "CreateOptions", { fieldManager: "app" }, false],
    ["DELETE a", data("4"), null, "DeleteOptions", { propagationPolicy: "Background" }, false],
    ["DELETE ", data("5"), null, "DeleteOptions", {}, false],
  ];
  expect(writes(mutating, "first")).toEqual(expected);
  expect(writes(validating, "second")).toEqual(expected);
});

scenario(
  "patches of mutating webhooks are applied in order, and unknown fields are dropped",
  async (stage) => {
    const { client, namespace, expect } = stage;
    await using _ = await hooks(stage, "mutating", {
      first: () =>
        patching(
          { op: "add", path: "/data", value: { a: "1" } },
          { op: "add", path: "/metadata/labels", value: { by: "first" } },
        ),
      second: ({ object }) =>
        patching(
          { op: "add", path: "/data/seen", value: JSON.stringify((object as { data: object }).data) },
          { op: "add", path: "/unknown", value: 1 },
        ),
    });
    const { body } = await wire(client, `POST ${configMaps(namespace)}`, {
      body: { metadata: { name: "a" } },
    });
    expect(masked(body)).toEqual({
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: {
        name: "a",
        namespace,
        uid: "<uid>",
        resourceVersion: "<version>",
        creationTimestamp: "<time>",
        labels: { by: "first" },
      },
      data: { a: "1", seen: '{"a":"1"}' },
    });
  },
);

scenario("the patched object gets its defaults, and is validated", async (stage) => {
  const { client, namespace, expect } = stage;
  const rules = [
    { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE" as const], resources: ["pods"] },
  ];
  let container: object = { name: "side", image: "b" };
  await using _ = await hooks(stage, "mutating", {
    side: { rules, answer: () => patching({ op: "add", path: "/spec/containers/-", value: container }) },
  });
  const pods = `/api/v1/namespaces/${namespace}/pods` as const;
  const pod = { metadata: { name: "a" }, spec: { containers: [{ name: "main", image: "a" }] } };
  const created = (await wire(client, `POST ${pods}`, { body: pod })).body as {
    spec: { containers: object[] };
  };
  expect(created.spec.containers[1]).toEqual({
    name: "side",
    image: "b",
    imagePullPolicy: "Always",
    resources: {},
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
  });
  container = { name: "main", image: "b" };
  const refused = await wire(client, `POST ${pods}?dryRun=All`, { body: pod });
  expect(statusMessage(refused)).toEqual([
    422,
    'Pod "a" is invalid: spec.containers[1].name: Duplicate value: "main"',
  ]);
});

scenario("the server dedupes owner references that a webhook repeats", async (stage) => {
  const { client, namespace, expect } = stage;
  const owner = { apiVersion: "v1", kind: "Node", name: "n", uid: "u" };
  await using _ = await hooks(stage, "mutating", {
    owner: () => patching({ op: "add", path: "/metadata/ownerReferences", value: [owner, owner] }),
  });
  const answer = await wire(client, `POST ${configMaps(namespace)}`, { body: { metadata: { name: "a" } } });
  expect((answer.body as { metadata: object }).metadata).toMatchObject({ ownerReferences: [owner] });
  expect(warningsOf(answer)).toEqual([
    ".metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u",
  ]);
});

const statuses: ReadonlyArray<
  readonly [status: object | undefined, code: number, rest: string, more?: object]
> = [
  [undefined, 400, " without explanation"],
  [{ code: 200, message: "no" }, 400, ": no"],
  [{ reason: "Because" }, 400, ": Because", { reason: "Because" }],
  [{ code: 403, reason: "Forbidden", message: "no" }, 403, ": no", { reason: "Forbidden" }],
];

scenario("a denied request has the code, the reason and the causes of the webhook", async (stage) => {
  const { client, namespace, expect } = stage;
  const causes = [{ reason: "FieldValueInvalid", message: "is immutable", field: "data.k" }];
  const details = { name: "a", kind: "ConfigMap", causes, retryAfterSeconds: 7 };
  const invalid = { code: 422, reason: "Invalid", message: "2 errors", details };
  const all = [...statuses, [invalid, 422, ": 2 errors", { reason: "Invalid", details }] as const];
  for (const type of ["mutating", "validating"] as const) {
    let status: object | undefined;
    await using _ = await hooks(stage, type, { deny: () => ({ allowed: false, status }) });
    for (const [sent, code, rest, more] of all) {
      status = sent;
      const answer = await wire(client, `POST ${configMaps(namespace)}`, {
        body: { metadata: { name: "a" } },
      });
      const message = `admission webhook "deny.example.dev" denied the request${rest}`;
      const body = {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message,
        ...more,
        code,
      };
      expect([answer.status, answer.body]).toEqual([code, body]);
    }
  }
});

scenario("warnings of webhooks are sent once, also with a denial", async (stage) => {
  const { client, namespace, expect } = stage;
  const send = (): Promise<WireAnswer> =>
    wire(client, `POST ${configMaps(namespace)}`, { body: { metadata: { name: "a" } } });
  const warnings = ["one", "", 'a "quoted" \\ text', "two\nlines", "one"];
  await using _ = await hooks(stage, "mutating", { warn: () => ({ allowed: true, warnings }) });
  await using __ = await hooks(stage, "validating", { deny: () => ({ allowed: false, warnings: ["two"] }) });
  expect(warningsOf(await send())).toEqual(["one", 'a "quoted" \\ text', "two"]);
});
