import { things, version } from "../defined.ts";
import { scenario } from "../scenario.ts";
import { statusMessage, warningsOf, wire } from "../wire.ts";

const page = [404, "404 page not found\n"];

scenario("unknown resources of a custom group are 404 in plain text", async (stage) => {
  const { client, namespace, expect } = stage;
  await using made = await things(stage, [version("v1", {})]);
  const { group } = made;
  const paths = [
    `/apis/${group}/v2/things`,
    `/apis/${group}/v1/nothings`,
    `/apis/${group}/v1/things/a`,
    `/apis/${group}/v1/namespaces/${namespace}/nothings/a`,
  ] as const;
  const responses = await Promise.all(paths.map((path) => wire(client, `GET ${path}`)));
  expect(responses.map(({ status, text }) => [status, text])).toEqual(paths.map(() => page));
  const everywhere = `/apis/${group}/v1/things` as const;
  const all = [
    await wire(client, `DELETE ${everywhere}`),
    await wire(client, `POST ${everywhere}`, { body: made.thing("a", {}) }),
  ];
  expect(all.map(({ status, text }) => [status, text])).toEqual([page, page]);
});

scenario("a cluster-scoped custom kind is not available in namespaces", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [version("v1", {})], { scope: "Cluster" });
  const created = await wire(client, `POST /apis/${made.group}/v1/things`, { body: made.thing("a", {}) });
  expect([created.status, (created.body as { metadata: { namespace?: string } }).metadata.namespace]).toEqual(
    [201, undefined],
  );
  const { status, text } = await wire(client, `GET ${made.path("v1")}`);
  expect([status, text]).toEqual(page);
});

scenario("an undeclared subresource is not found", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [version("v1", {})]);
  await wire(client, `POST ${made.path("v1")}`, { body: made.thing("a", {}) });
  const notFound = [404, `things.${made.group} "a" not found`];
  const responses = [
    await wire(client, `GET ${made.path("v1")}/a/status`),
    await wire(client, `GET ${made.path("v1")}/a/scale`),
    await wire(client, `PUT ${made.path("v1")}/a/other`, { body: {} }),
  ];
  expect(responses.map(statusMessage)).toEqual([notFound, notFound, notFound]);
});

scenario("an unsupported verb of a custom kind is an error that names the kind", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [version("v1", {}, { subresources: { status: {} } })]);
  const path = made.path("v1");
  const kind = `things.${made.group}`;
  const responses = [
    await wire(client, `POST ${path}/a/status`, { body: {} }),
    await wire(client, `DELETE ${path}/a/status`),
    await wire(client, `PUT ${path}`, { body: {} }),
    await wire(client, `PATCH ${path}`, { body: {} }),
  ];
  expect(responses.map(statusMessage)).toEqual([
    [405, `create is not supported on resources of kind "${kind}"`],
    [405, `delete is not supported on resources of kind "${kind}"`],
    [400, "name must be provided"],
    [400, "name must be provided"],
  ]);
});

scenario("items of custom lists have their kind, and the list always has a continue token", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [version("v1", {})]);
  await wire(client, `POST ${made.path("v1")}`, { body: made.thing("a", {}) });
  const list = (await wire(client, `GET ${made.path("v1")}`)).body as {
    kind: string;
    metadata: { continue: string };
    items: Array<{ kind: string; apiVersion: string }>;
  };
  expect(list).toMatchObject({
    kind: "ThingList",
    apiVersion: `${made.group}/v1`,
    metadata: { continue: "" },
    items: [{ kind: "Thing", apiVersion: `${made.group}/v1` }],
  });
});

scenario("a client that prefers protobuf gets a custom object in JSON", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [version("v1", {})]);
  await wire(client, `POST ${made.path("v1")}`, { body: made.thing("a", {}) });
  const headers = { accept: "application/vnd.kubernetes.protobuf, */*" };
  const response = await wire(client, `GET ${made.path("v1")}/a`, { headers });
  expect([response.status, response.headers["content-type"]]).toEqual([200, "application/json"]);
});

scenario("custom objects can be written and read in YAML", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [version("v1", { size: { type: "integer" } })]);
  const body = `apiVersion: ${made.group}/v1\nkind: Thing\nmetadata:\n  name: a\nspec:\n  size: 4\n`;
  const headers = { "content-type": "application/yaml", accept: "application/yaml" };
  const response = await wire(client, `POST ${made.path("v1")}`, { body, headers });
  expect([response.status, response.body]).toMatchObject([201, { kind: "Thing", spec: { size: 4 } }]);
});

scenario("a finalizer without a domain causes a warning", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [version("v1", {})]);
  const metadata = { name: "a", finalizers: ["plain", "example.dev/good"] };
  const created = await wire(client, `POST ${made.path("v1")}`, {
    body: { ...made.thing("a", {}), metadata },
  });
  const again = await wire(client, `PATCH ${made.path("v1")}/a`, {
    body: { metadata: { labels: { a: "b" } } },
  });
  await wire(client, `PATCH ${made.path("v1")}/a`, { body: { metadata: { finalizers: null } } });
  expect([warningsOf(created), warningsOf(again)]).toEqual([
    [
      'metadata.finalizers: "plain": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ],
    [],
  ]);
});

scenario("objects are selected only by the fields that their definition declares", async (stage) => {
  const { client, expect } = stage;
  const spec = { size: { type: "integer" }, on: { type: "boolean" }, name: { type: "string" } };
  const selectableFields = ["size", "on", "name"].map((name) => ({ jsonPath: `.spec.${name}` }));
  await using made = await things(stage, [version("v1", spec, { selectableFields })]);
  const path = made.path("v1");
  await wire(client, `POST ${path}`, { body: made.thing("a", { size: 2, on: true, name: "x" }) });
  await wire(client, `POST ${path}`, { body: made.thing("b", { size: 3 }) });
  const names = async (selector: string) => {
    const { body } = await wire(client, `GET ${path}?fieldSelector=${encodeURIComponent(selector)}`);
    return (body as { items: Array<{ metadata: { name: string } }> }).items.map(
      ({ metadata }) => metadata.name,
    );
  };
  expect(await names("spec.size=2")).toEqual(["a"]);
  expect(await names("spec.size!=2")).toEqual(["b"]);
  expect(await names("spec.on=true,spec.name=x")).toEqual(["a"]);
  expect(await names("spec.name=")).toEqual(["b"]);
  expect(await names("metadata.name=b")).toEqual(["b"]);
  expect(statusMessage(await wire(client, `GET ${path}?fieldSelector=spec.other%3Dx`))).toEqual([
    400,
    "field label not supported: spec.other",
  ]);
});

scenario("a table of a custom kind has its columns, or the age", async (stage) => {
  const { client, expect } = stage;
  const additionalPrinterColumns = [
    { name: "Size", type: "integer", jsonPath: ".spec.size" },
    { name: "On", type: "boolean", jsonPath: ".spec.on", description: "whether" },
    { name: "Made", type: "date", jsonPath: ".metadata.creationTimestamp" },
    { name: "Tags", type: "string", jsonPath: ".spec.tags[*]", priority: 1 },
    { name: "None", type: "string", jsonPath: ".spec.none" },
  ];
  const spec = {
    size: { type: "integer" },
    on: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    none: { type: "string" },
  };
  await using made = await things(stage, [
    version("v1", spec, { additionalPrinterColumns }),
    version("v2", {}, { storage: false }),
  ]);
  await wire(client, `POST ${made.path("v1")}`, {
    body: made.thing("a", { size: 2, on: false, tags: ["x", "y"] }),
  });
  const headers = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
  const table = (await wire(client, `GET ${made.path("v1")}`, { headers })).body as Table;
  const name = { name: "Name", type: "string", format: "name", priority: 0, description: expect.any(String) };
  const column = { format: "", priority: 0 };
  expect(table.columnDefinitions).toEqual([
    name,
    { ...column, name: "Size", type: "integer", description: jsonPathNote("spec.size") },
    { ...column, name: "On", type: "boolean", description: "whether" },
    { ...column, name: "Made", type: "date", description: jsonPathNote("metadata.creationTimestamp") },
    { ...column, name: "Tags", type: "string", priority: 1, description: jsonPathNote("spec.tags[*]") },
    { ...column, name: "None", type: "string", description: jsonPathNote("spec.none") },
  ]);
  expect(table.rows.map(({ cells }) => cells)).toEqual([
    ["a", 2, false, expect.stringMatching(/^\d+s$/), "x", null],
  ]);
  const other = (await wire(client, `GET ${made.path("v2")}`, { headers })).body as Table;
  expect(other.columnDefinitions.map((one) => [one.name, one.type])).toEqual([
    ["Name", "string"],
    ["Age", "date"],
  ]);
});

interface Table {
  readonly columnDefinitions: Array<{ readonly name: string; readonly type: string }>;
  readonly rows: Array<{ readonly cells: unknown[] }>;
}

function jsonPathNote(path: string): string {
  return `Custom resource definition column (in JSONPath format): .${path}`;
}

scenario("the scale of a custom kind uses the paths of its definition", async (stage) => {
  const { client, namespace, expect } = stage;
  const scale = {
    specReplicasPath: ".spec.size",
    statusReplicasPath: ".status.size",
    labelSelectorPath: ".status.sel",
  };
  const subresources = { status: {}, scale };
  await using made = await things(stage, [version("v1", { size: { type: "integer" } }, { subresources })]);
  const path = made.path("v1");
  await wire(client, `POST ${path}`, { body: made.thing("a", { size: 2 }) });
  await wire(client, `POST ${path}`, { body: made.thing("b", {}) });
  await wire(client, `PATCH ${path}/a/status`, { body: { status: { size: 1, sel: "app=a" } } });
  expect((await wire(client, `GET ${path}/a/scale`)).body).toMatchObject({
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name: "a", namespace },
    spec: { replicas: 2 },
    status: { replicas: 1, selector: "app=a" },
  });
  const put = await wire(client, `PUT ${path}/a/scale`, {
    body: { metadata: { name: "a" }, spec: { replicas: 7 } },
  });
  expect((put.body as { spec: unknown }).spec).toEqual({ replicas: 7 });
  expect(
    statusMessage(await wire(client, `PATCH ${path}/a/scale`, { body: { spec: { replicas: -1 } } })),
  ).toEqual([
    422,
    `Thing.${made.group} "a" is invalid: .spec.size: Invalid value: -1: should be a non-negative integer`,
  ]);
  expect(statusMessage(await wire(client, `GET ${path}/b/scale`))).toEqual([
    500,
    'Internal error occurred: the spec replicas field ".spec.size" does not exist',
  ]);
});

scenario("a JSON patch compares a number with the text that the server stores", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [version("v1", { size: { type: "number" } })]);
  await wire(client, `POST ${made.path("v1")}`, { body: made.thing("a", { size: 1e-7 }) });
  const headers = { "content-type": "application/json-patch+json" };
  const test = async (number: string) => {
    const body = `[{"op":"test","path":"/spec/size","value":${number}}]`;
    return (await wire(client, `PATCH ${made.path("v1")}/a`, { body, headers })).status;
  };
  expect([await test("1e-7"), await test("1e-07"), await test("0.0000001")]).toEqual([200, 422, 422]);
});

scenario("an Event of events.k8s.io has the internal type of the core group", async (stage) => {
  const { client, namespace, expect } = stage;
  const body = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } };
  const response = await wire(client, `POST /apis/events.k8s.io/v1/namespaces/${namespace}/events`, { body });
  expect(statusMessage(response)).toEqual([
    400,
    'Pod in version "v1" cannot be handled as a Event: converting (v1.Pod) to (core.Event): unknown conversion',
  ]);
});
