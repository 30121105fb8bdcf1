import { CustomResourceDefinition } from "trimtab/api/apiextensions/v1";
import { things, untilServed, version } from "../defined.ts";
import { scenario } from "../scenario.ts";
import { statusMessage, warningsOf, wire } from "../wire.ts";

const text = { type: "string" };
const notStored = { storage: false };

interface Thing {
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly spec: unknown;
}

function specOf({ body }: { readonly body: unknown }): unknown {
  return (body as Thing).spec;
}

scenario("an object created in one version can be read in every other", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [version("v1", { a: text }), version("v2", { a: text }, notStored)]);
  await wire(client, `POST ${made.path("v2")}`, { body: made.thing("x", { a: "1" }, "v2") });
  const { apiVersion, spec } = (await wire(client, `GET ${made.path("v1")}/x`)).body as Thing;
  expect({ apiVersion, spec }).toEqual({ apiVersion: `${made.group}/v1`, spec: { a: "1" } });
  const { items } = (await wire(client, `GET ${made.path("v2")}`)).body as { items: Thing[] };
  expect(items.map((one) => one.apiVersion)).toEqual([`${made.group}/v2`]);
});

scenario("an object has only the fields and defaults of the storage version", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [
    version("v1", { a: { ...text, default: "one" } }),
    version("v2", { a: text, b: { ...text, default: "two" } }, notStored),
  ]);
  const created = await wire(client, `POST ${made.path("v2")}`, {
    body: made.thing("x", { b: "sent" }, "v2"),
  });
  const [first, second] = [
    await wire(client, `GET ${made.path("v1")}/x`),
    await wire(client, `GET ${made.path("v2")}/x`),
  ];
  expect([created, first, second].map(specOf)).toEqual([{ a: "one" }, { a: "one" }, { a: "one" }]);
});

scenario("a version returns the fields that it declares", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [
    version("v1", { a: text, b: text }),
    version("v2", { a: text }, notStored),
  ]);
  await wire(client, `POST ${made.path("v1")}`, { body: made.thing("x", { a: "1", b: "2" }) });
  expect(specOf(await wire(client, `GET ${made.path("v2")}/x`))).toEqual({ a: "1" });
});

scenario("objects are read with the current schema, not the one at the time of the write", async (stage) => {
  const { client, cluster, signal, expect } = stage;
  await using made = await things(stage, [version("v1", { old: text, kept: text })]);
  await wire(client, `POST ${made.path("v1")}`, { body: made.thing("x", { old: "1", kept: "2" }) });
  const versions = [version("v1", { kept: text, fresh: { ...text, default: "new" } })];
  const merge = { spec: { versions } };
  await cluster.client.patch(CustomResourceDefinition, made.name, { merge });
  await untilServed(client, made.name, signal);
  const fresh = { kept: "2", fresh: "new" };
  await expect.poll(async () => specOf(await wire(client, `GET ${made.path("v1")}/x`))).toEqual(fresh);
  const { items } = (await wire(client, `GET ${made.path("v1")}`)).body as { items: Thing[] };
  expect(items.map(({ spec }) => spec)).toEqual([fresh]);
});

scenario("a watch ends when the schema changes", async (stage) => {
  const { client, cluster, expect } = stage;
  await using made = await things(stage, [version("v1", { a: text })]);
  const list = (await wire(client, `GET ${made.path("v1")}`)).body as Thing;
  const { resourceVersion } = list.metadata;
  const watched = wire(
    client,
    `GET ${made.path("v1")}?watch=1&timeoutSeconds=50&resourceVersion=${resourceVersion}`,
  );
  await wire(client, `POST ${made.path("v1")}`, { body: made.thing("x", {}) });
  const merge = { spec: { versions: [version("v1", { b: text })] } };
  await cluster.client.patch(CustomResourceDefinition, made.name, { merge });
  expect((await watched).text).toMatch(/^\{"type":"ADDED".*\}\n$/);
});

scenario("a deprecated version causes a warning with its replacement", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [
    version("v1", {}),
    version("v1beta1", {}, { ...notStored, deprecated: true }),
    version("v1alpha1", {}, { ...notStored, deprecated: true, deprecationWarning: "do not use" }),
  ]);
  const [own, other] = [made.path("v1beta1"), made.path("v1alpha1")];
  const usual = `${made.group}/v1beta1 Thing is deprecated; use ${made.group}/v1 Thing`;
  const responses = [
    await wire(client, `POST ${own}`, { body: made.thing("x", {}, "v1beta1") }),
    await wire(client, `GET ${own}/x`),
    await wire(client, `GET ${own}`),
    await wire(client, `GET ${own}/none`),
    await wire(client, `GET ${other}`),
    await wire(client, `GET ${made.path("v1")}`),
  ];
  expect(responses.map(warningsOf)).toEqual([[usual], [usual], [usual], [usual], ["do not use"], []]);
});

scenario("a version that is not served is not found", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [
    version("v1", {}),
    version("v2", {}, { ...notStored, served: false }),
  ]);
  const { status, text: page } = await wire(client, `GET ${made.path("v2")}`);
  expect([status, page]).toEqual([404, "404 page not found\n"]);
  const group = (await wire(client, `GET /apis/${made.group}`)).body;
  const only = { groupVersion: `${made.group}/v1`, version: "v1" };
  expect(group).toEqual({
    kind: "APIGroup",
    apiVersion: "v1",
    name: made.group,
    versions: [only],
    preferredVersion: only,
  });
});

scenario("the newest stable version of a group is preferred", async (stage) => {
  const { client, expect } = stage;
  const names = ["v1alpha1", "v2beta1", "v1", "v10", "v2"];
  await using made = await things(
    stage,
    names.map((name) => version(name, {}, { storage: name === "v1" })),
  );
  const group = (await wire(client, `GET /apis/${made.group}`)).body as {
    versions: Array<{ version: string }>;
    preferredVersion: { version: string };
  };
  expect(group.versions.map((one) => one.version)).toEqual(["v10", "v2", "v1", "v2beta1", "v1alpha1"]);
  expect(group.preferredVersion.version).toBe("v10");
});

scenario("an object must have the kind and the version of the path", async (stage) => {
  const { client, expect } = stage;
  await using made = await things(stage, [version("v1", {}), version("v2", {}, notStored)]);
  const { group } = made;
  const send = async (body: object) => statusMessage(await wire(client, `POST ${made.path("v1")}`, { body }));
  const mismatch = (sent: string) =>
    `the API version in the data (${sent}) does not match the expected API version (${group}/v1)`;
  expect(await send({})).toEqual([
    400,
    "the object provided is unrecognized (must be of type Thing): Object 'Kind' is missing in '{}' ({})",
  ]);
  expect(await send({ kind: "Thing", metadata: { name: "a" } })).toEqual([400, mismatch("")]);
  expect(await send(made.thing("a", {}, "v2"))).toEqual([400, mismatch(`${group}/v2`)]);
  expect(await send({ ...made.thing("a", {}), kind: "Other" })).toEqual([
    422,
    `Other.${group} "a" is invalid: kind: Invalid value: "Other": must be Thing`,
  ]);
  await wire(client, `POST ${made.path("v1")}`, { body: made.thing("a", {}) });
  expect(
    statusMessage(await wire(client, `PATCH ${made.path("v1")}/a`, { body: { kind: "Other" } })),
  ).toEqual([422, `Other.${group} "a" is invalid: kind: Invalid value: "Other": must be Thing`]);
});
