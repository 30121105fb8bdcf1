import { setTimeout as sleep } from "node:timers/promises";
import { type ConversionResponse, convertedThings, type Thing } from "../conversions.ts";
import { hookScenario as scenario } from "../hook-scenario.ts";
import { masked } from "../masked.ts";
import { allowing, hooks, patching, RawAnswer } from "../webhooks.ts";
import { statusMessage, wire } from "../wire.ts";

const specOf = ({ body }: { readonly body: unknown }): unknown => (body as Thing).spec;
const itemsOf = ({ body }: { readonly body: unknown }): unknown[] =>
  (body as { items: Thing[] }).items.map(({ apiVersion, spec }) => [apiVersion.split("/")[1], spec]);

scenario("an object is stored in one version and served in both", async (stage) => {
  const { client, expect } = stage;
  await using made = await convertedThings(stage);
  const [one, two] = [made.path("v1"), made.path("v2")];
  const created = await wire(client, `POST ${two}`, { body: made.thing("x", { b: "1" }, "v2") });
  expect([created.status, specOf(created)]).toEqual([201, { b: "1" }]);
  expect(specOf(await wire(client, `GET ${one}/x`))).toEqual({ a: "1", first: "v1" });
  expect(specOf(await wire(client, `GET ${two}/x`))).toEqual({ b: "1" });
});

scenario("the webhook gets the objects to convert, without a resource version", async (stage) => {
  const { client, namespace, expect } = stage;
  await using made = await convertedThings(stage);
  await wire(client, `POST ${made.path("v2")}`, { body: made.thing("x", { b: "1" }, "v2") });
  const metadata = { name: "x", namespace, generation: 1, uid: "<uid>", creationTimestamp: "<time>" };
  const object = { kind: "Thing", metadata };
  const [first, second] = [`${made.group}/v1`, `${made.group}/v2`];
  const spec = { b: "1", second: "v2" };
  expect(made.requests.slice(0, 2).map(({ uid: _, ...request }) => masked(request))).toEqual([
    { desiredAPIVersion: first, objects: [{ ...object, apiVersion: second, spec }] },
    { desiredAPIVersion: second, objects: [{ ...object, apiVersion: first, spec: { a: "1", first: "v1" } }] },
  ]);
});

scenario("a list is converted", async (stage) => {
  const { client, expect } = stage;
  await using made = await convertedThings(stage);
  await wire(client, `POST ${made.path("v1")}`, { body: made.thing("x", { a: "1" }) });
  await wire(client, `POST ${made.path("v2")}`, { body: made.thing("y", { b: "2" }, "v2") });
  expect(itemsOf(await wire(client, `GET ${made.path("v2")}`))).toEqual([
    ["v2", { b: "1" }],
    ["v2", { b: "2" }],
  ]);
  expect(itemsOf(await wire(client, `GET ${made.path("v1")}`))).toEqual([
    ["v1", { a: "1", first: "v1" }],
    ["v1", { a: "2", first: "v1" }],
  ]);
});

scenario("the events of a watch are converted", async (stage) => {
  const { client, expect } = stage;
  await using made = await convertedThings(stage);
  const [one, two] = [made.path("v1"), made.path("v2")];
  await wire(client, `POST ${one}`, { body: made.thing("x", { a: "1" }) });
  const watched = wire(client, `GET ${two}?watch=1&timeoutSeconds=3`);
  await sleep(500, undefined, { signal: stage.signal });
  await wire(client, `POST ${two}`, { body: made.thing("y", { b: "2" }, "v2") });
  await wire(client, `PATCH ${one}/y`, { body: { spec: { a: "3" } } });
  await wire(client, `DELETE ${one}/y`);
  const events = (await watched).text.split("\n").filter((line) => line !== "");
  expect(
    events.map((line) => {
      const { type, object } = JSON.parse(line) as { type: string; object: Thing };
      return [type, object.apiVersion.split("/")[1], object.spec];
    }),
  ).toEqual([
    ["ADDED", "v2", { b: "1" }],
    ["ADDED", "v2", { b: "2" }],
    ["MODIFIED", "v2", { b: "3" }],
    ["DELETED", "v2", { b: "3" }],
  ]);
});

scenario("patches, applies, dry runs and deletions work in every version", async (stage) => {
  const { client, expect } = stage;
  await using made = await convertedThings(stage);
  const [one, two] = [made.path("v1"), made.path("v2")];
  const apply = (name: string, b: string) => ({
    body: made.thing(name, { b }, "v2"),
    headers: { "content-type": "application/apply-patch+yaml" },
  });
  await wire(client, `POST ${one}`, { body: made.thing("x", { a: "1" }) });
  expect(specOf(await wire(client, `PATCH ${two}/x?dryRun=All`, { body: { spec: { b: "0" } } }))).toEqual({
    b: "0",
  });
  await wire(client, `PATCH ${two}/x`, { body: { spec: { b: "2" } } });
  expect(specOf(await wire(client, `GET ${one}/x`))).toEqual({ a: "2", first: "v1" });
  expect(specOf(await wire(client, `PATCH ${two}/x?fieldManager=me&force=true`, apply("x", "3")))).toEqual({
    b: "3",
  });
  expect((await wire(client, `PATCH ${two}/y?fieldManager=me`, apply("y", "4"))).status).toBe(201);
  await wire(client, `PATCH ${two}/y`, { body: { metadata: { finalizers: ["example.dev/wait"] } } });
  const deleted = await wire(client, `DELETE ${two}/y`);
  expect(deleted.body).toMatchObject({ apiVersion: `${made.group}/v2`, spec: { b: "4" } });
  await wire(client, `PATCH ${one}/y`, { body: { metadata: { finalizers: null } } });
  expect((await wire(client, `GET ${two}/y`)).status).toBe(404);
});

scenario("a converter may change labels and annotations, and no other metadata", async (stage) => {
  const { client, expect } = stage;
  await using made = await convertedThings(stage);
  await wire(client, `POST ${made.path("v1")}`, { body: made.thing("x", { a: "1" }) });
  const more = {
    labels: { by: "converter" },
    annotations: { note: "1" },
    generation: 7,
    finalizers: ["a/b"],
  };
  made.answer(changing((object) => ({ ...object, metadata: { ...object.metadata, ...more } })));
  const { metadata } = (await wire(client, `GET ${made.path("v2")}/x`)).body as Thing;
  const { labels, annotations, generation, finalizers } = metadata;
  expect({ labels, annotations, generation, finalizers }).toEqual({
    labels: more.labels,
    annotations: more.annotations,
    generation: 1,
    finalizers: undefined,
  });
});

const changing =
  (change: (object: Thing) => object) =>
  (response: ConversionResponse): object => ({
    ...response,
    convertedObjects: response.convertedObjects.map(change),
  });

const failing = (result: object) => (response: ConversionResponse) => ({ ...response, result });

/** Responses that are refused, and the end of the error, in which `{group}` is the group of the kind. */
const responses: ReadonlyArray<readonly [change: (response: ConversionResponse) => object, error: string]> = [
  [failing({ status: "Failure", message: "no way" }), "failed: no way"],
  [failing({ status: "Failure" }), "failed: response.result.status was 'Failure', not 'Success'"],
  [(response) => ({ ...response, convertedObjects: [] }), "returned 0 objects, expected 1"],
  [
    changing((object) => ({ ...object, apiVersion: "example.dev/v9" })),
    "returned invalid object at index 0: invalid groupVersion (expected {group}/v2, received example.dev/v9)",
  ],
  [
    changing((object) => ({ ...object, kind: "Other" })),
    "returned invalid object at index 0: invalid kind (expected Thing, received Other)",
  ],
  [
    changing((object) => ({ ...object, metadata: { ...object.metadata, name: "y" } })),
    "returned invalid object: must have the same name: x != y",
  ],
  [
    changing(({ metadata: _, ...object }) => object),
    "returned invalid object: must have the same name: x != ",
  ],
  [
    () => new RawAnswer(500, "oops"),
    'failed: an error on the server ("unknown") has prevented the request from succeeding',
  ],
];

scenario("an invalid conversion fails the request with the reason", async (stage) => {
  const { client, expect } = stage;
  await using made = await convertedThings(stage);
  await wire(client, `POST ${made.path("v1")}`, { body: made.thing("x", { a: "1" }) });
  for (const [change, error] of responses) {
    made.answer(change);
    expect(statusMessage(await wire(client, `GET ${made.path("v2")}/x`))).toEqual([
      500,
      `conversion webhook for ${made.group}/v1, Kind=Thing ${error.replace("{group}", made.group)}`,
    ]);
  }
});

scenario("a converter that is down fails the request", async (stage) => {
  const { client, expect } = stage;
  await using made = await convertedThings(stage);
  await wire(client, `POST ${made.path("v1")}`, { body: made.thing("x", { a: "1" }) });
  await made.server[Symbol.asyncDispose]();
  const { port } = made.server;
  const why = `Post "https://127.0.0.1:${port}/convert?timeout=30s": dial tcp 127.0.0.1:${port}: connect: connection refused`;
  expect(statusMessage(await wire(client, `GET ${made.path("v2")}/x`))).toEqual([
    500,
    `conversion webhook for ${made.group}/v1, Kind=Thing failed: ${why}`,
  ]);
  expect(specOf(await wire(client, `GET ${made.path("v1")}/x`))).toEqual({ a: "1", first: "v1" });
});

scenario("a converter of v1beta1 reviews is supported", async (stage) => {
  const { client, expect } = stage;
  await using made = await convertedThings(stage, "v1beta1");
  await wire(client, `POST ${made.path("v1")}`, { body: made.thing("x", { a: "1" }) });
  expect(specOf(await wire(client, `GET ${made.path("v2")}/x`))).toEqual({ b: "1" });
});

scenario(
  "an admission webhook for one version of a custom kind gets all of them converted",
  async (stage) => {
    const { client, expect } = stage;
    await using made = await convertedThings(stage);
    const rules = [
      { apiGroups: [made.group], apiVersions: ["v2"], operations: ["*" as const], resources: ["things"] },
    ];
    await using admitted = await hooks(stage, "mutating", {
      nine: { rules, answer: () => patching({ op: "add", path: "/spec/b", value: "9" }) },
      exact: { rules, matchPolicy: "Exact", answer: () => allowing },
    });
    const created = await wire(client, `POST ${made.path("v1")}`, { body: made.thing("x", { a: "1" }) });
    expect(specOf(created)).toEqual({ a: "9", first: "v1" });
    expect(admitted.requests.nine).toMatchObject([{ object: { spec: { b: "1" } } }]);
    expect(admitted.requests.exact).toBe(undefined);
  },
);
