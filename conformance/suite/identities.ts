import { controller } from "trimtab";
import { Deployment } from "trimtab/api/apps/v1";
import { ConfigMap, Secret } from "trimtab/api/core/v1";
import { Event } from "trimtab/api/events/v1";
import { atWork, Notes } from "../at-work.ts";
import { managersOf } from "../masked.ts";
import { scenario } from "../scenario.ts";

const metadata = { name: "a" };
const entry = {
  apiVersion: "v1",
  fieldsType: "FieldsV1",
  manager: "new",
  operation: "Apply",
  time: "<time>",
};

scenario("an apply takes over fields that a former manager applied or updated", async (stage) => {
  const { client, expect } = stage;
  const old = { fieldManager: "old" };
  const draft = { metadata: { ...metadata, labels: { app: "web" } }, data: { kept: "1", dropped: "1" } };
  await client.apply(ConfigMap, draft, old);
  await client.patch(ConfigMap, "a", { merge: { data: { patched: "1" } } }, old);
  await client.patch(ConfigMap, "a", { merge: { data: { foreign: "1" } } }, { fieldManager: "other" });
  const options = { fieldManager: "new", takeOver: ["old"] };
  const applied = await client.apply(ConfigMap, { metadata, data: { kept: "2" } }, options);
  expect([applied.metadata.labels, applied.data]).toEqual([undefined, { kept: "2", foreign: "1" }]);
  expect(managersOf(applied)).toEqual([
    { ...entry, fieldsV1: { "f:data": { "f:kept": {} } } },
    { ...entry, manager: "other", operation: "Update", fieldsV1: { "f:data": { "f:foreign": {} } } },
  ]);
  const again = await client.apply(ConfigMap, { metadata, data: { kept: "2" } }, options);
  expect(again.metadata.resourceVersion).toBe(applied.metadata.resourceVersion);
});

scenario("an apply takes over an object that the former manager created", async (stage) => {
  const { client, expect } = stage;
  const old = { fieldManager: "old" };
  const data = { one: "1", two: "1" };
  await client.create(ConfigMap, { metadata: { ...metadata, labels: { app: "web" } }, data }, old);
  const draft = { metadata: { ...metadata, labels: { app: "web" } }, data: { ...data, three: "1" } };
  const applied = await client.apply(ConfigMap, draft, { fieldManager: "new", takeOver: ["old"] });
  expect(managersOf(applied)).toEqual([
    {
      ...entry,
      fieldsV1: {
        "f:data": { "f:one": {}, "f:three": {}, "f:two": {} },
        "f:metadata": { "f:labels": { "f:app": {} } },
      },
    },
  ]);
});

scenario("a status is taken over without the rest of the object", async (stage) => {
  const { client, expect } = stage;
  const template = {
    metadata: { labels: { a: "b" } },
    spec: { containers: [{ name: "web", image: "web" }] },
  };
  const spec = { replicas: 0, selector: { matchLabels: { a: "b" } }, template };
  await client.apply(Deployment, { metadata: { name: "web" }, spec }, { fieldManager: "old" });
  const status = { replicas: 2, readyReplicas: 1 };
  await client.applyStatus(Deployment, "web", status, { fieldManager: "old" });
  const options = { fieldManager: "new", takeOver: ["old"], force: true };
  const applied = await client.applyStatus(Deployment, "web", { replicas: 3 }, options);
  const entries = applied.metadata.managedFields?.map(
    ({ manager, subresource }) => `${manager} ${subresource ?? "-"}`,
  );
  expect([applied.status?.replicas, applied.status?.readyReplicas]).toEqual([3, undefined]);
  expect(entries?.filter((each) => /^(old|new) /.test(each)).sort()).toEqual(["new status", "old -"]);
});

scenario("a take-over keeps finalizers of the former manager", async ({ client, expect }) => {
  const finalizers = ["example.dev/held"];
  const old = { fieldManager: "old" };
  await client.create(ConfigMap, { metadata: { ...metadata, finalizers }, data: { dropped: "1" } }, old);
  const draft = { metadata, data: { kept: "1" } };
  const applied = await client.apply(ConfigMap, draft, { fieldManager: "new", takeOver: ["old"] });
  expect([applied.metadata.finalizers, applied.data]).toEqual([finalizers, { kept: "1" }]);
  expect(managersOf(applied)).toEqual([{ ...entry, fieldsV1: { "f:data": { "f:kept": {} } } }]);
  await client.patch(ConfigMap, "a", { merge: { metadata: { finalizers: null } } });
});

scenario("two controllers that apply one object keep each other's fields", async (stage) => {
  const { client, signal, expect } = stage;
  const notes = new Notes();
  const applying = (name: string) =>
    controller({
      name,
      formerFieldManagers: ["trimtab"],
      for: ConfigMap,
      view: { labels: { of: "us" } },
      async reconcile({ name: secret, namespace }, { client: writer }) {
        await writer.apply(Secret, { metadata: { name: secret, namespace }, data: { [name]: "MQ==" } });
        notes.add(name);
      },
    });
  const data = { one: "MA==", two: "MA==", dropped: "MA==" };
  await client.apply(Secret, { metadata, data }, { fieldManager: "trimtab" });
  await client.create(ConfigMap, { metadata: { ...metadata, labels: { of: "us" } } });
  await using _work = await atWork(stage, [applying("one"), applying("two")]);
  expect([await notes.next(signal), await notes.next(signal)].sort()).toEqual(["one", "two"]);
  const secret = await client.get(Secret, "a");
  const managers = secret?.metadata.managedFields?.map(({ manager, operation }) => `${operation} ${manager}`);
  expect(managers?.sort()).toEqual(["Apply one", "Apply two"]);
  expect(secret?.data).toEqual({ one: "MQ==", two: "MQ==" });
});

scenario("events name the controller that recorded them", async (stage) => {
  const { client, signal, expect } = stage;
  const notes = new Notes();
  const map = await client.create(ConfigMap, { metadata: { ...metadata, labels: { of: "us" } } });
  const recording = (name: string) =>
    controller({
      name,
      for: ConfigMap,
      view: { labels: { of: "us" } },
      async reconcile(_, { events }) {
        events.normal(map, "Seen", `by ${name}`);
        notes.add(name);
      },
    });
  const work = await atWork(stage, [recording("one"), recording("two words")]);
  expect([await notes.next(signal), await notes.next(signal)].sort()).toEqual(["one", "two words"]);
  await work[Symbol.asyncDispose](); // delivers the events
  const events = await client.list(Event);
  const named = events.map(({ note, reportingController }) => `${note}: ${reportingController}`);
  expect(named.sort()).toEqual(["by one: one", "by two words: two-words"]);
});

scenario(
  "former finalizers are replaced by the new one, and still hold a terminating object",
  async (stage) => {
    const { client, signal, expect } = stage;
    const notes = new Notes();
    const [finalizer, former] = ["example.dev/maps", "trimtab.dev/maps"];
    const made = { labels: { of: "us" }, finalizers: [former] };
    await client.create(ConfigMap, { metadata: { ...made, name: "live" } });
    await client.create(ConfigMap, { metadata: { ...made, name: "terminating" } });
    await client.delete(ConfigMap, "terminating");
    const maps = controller({
      name: "maps",
      for: ConfigMap,
      view: { labels: { of: "us" } },
      async reconcile(key) {
        const map = await client.get(ConfigMap, key);
        notes.add(`${key.name} ${map?.metadata.finalizers ?? "gone"}`);
      },
      finalizer,
      formerFinalizers: [former],
      cleanup: async (map) => notes.add(`cleanup ${map.metadata.name}`),
    });
    await using _work = await atWork(stage, [maps]);
    const noted = [await notes.next(signal), await notes.next(signal), await notes.next(signal)];
    expect(noted.sort()).toEqual(["cleanup terminating", `live ${finalizer}`, "terminating gone"]);
    await client.delete(ConfigMap, "live");
    const rest: string[] = [];
    while (rest.at(-1) !== "live gone") rest.push(await notes.next(signal));
    expect(rest).toContain("cleanup live");
  },
);
