import { expect, test } from "vitest";
import type { KubeObject } from "../../api/index.ts";
import type { Service } from "../../api/types/core/v1.ts";
import { type Clock, VirtualClock } from "../../base/index.ts";
import { type TestResponse, type TestServer, testServer } from "../requests.fixture.ts";
import { MemoryStorage } from "../storage/memory-storage.ts";
import { StaleError, type StorageWrite, type StoredEntry } from "../storage/storage.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const services = "/api/v1/namespaces/default/services";
const merge = { "content-type": "application/merge-patch+json" };
const apply = { "content-type": "application/apply-patch+yaml" };

/** A clock that advances by a second on every read, so that every write pauses at each of its steps. */
function slowClock(): Clock {
  const clock = new VirtualClock();
  let reads = 0;
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic() + 1000 * ++reads,
    timer: (afterMs, run) => clock.timer(afterMs, run),
  };
}

async function withConfigMap(): Promise<TestServer> {
  const server = testServer({ clock: slowClock() });
  await server.object("POST", configMaps, { metadata: { name: "a" }, data: { key: "0" } });
  return server;
}

const data = (value: string): object => ({ metadata: { name: "a" }, data: { key: value } });
const codes = (responses: readonly TestResponse[]): number[] => responses.map(({ code }) => code).sort();

const writes: ReadonlyArray<readonly [what: string, send: (server: TestServer) => Promise<TestResponse>]> = [
  ["a create", (server) => server.send("POST", configMaps, { body: { metadata: { name: "b" } } })],
  ["an update", (server) => server.send("PUT", `${configMaps}/a`, { body: data("1") })],
  ["a patch", (server) => server.send("PATCH", `${configMaps}/a`, { body: data("1"), headers: merge })],
  [
    "an apply",
    (server) =>
      server.send("PATCH", `${configMaps}/a?fieldManager=m&force=true`, {
        body: { apiVersion: "v1", kind: "ConfigMap", ...data("1") },
        headers: apply,
      }),
  ],
  ["a scale", (server) => server.send("PATCH", scale, { body: { spec: { replicas: 3 } }, headers: merge })],
];

const replicaSets = "/apis/apps/v1/namespaces/default/replicasets";
const scale = `${replicaSets}/a/scale`;
const replicaSet = {
  metadata: { name: "a" },
  spec: {
    selector: { matchLabels: { app: "a" } },
    template: { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "a", image: "a" }] } },
  },
};

test.each(writes)("a short request is answered while %s takes long", async (_, send) => {
  using server = await withConfigMap();
  await server.object("POST", replicaSets, replicaSet);
  const order: string[] = [];
  const long = send(server).then(({ code }) => order.push(`write ${code < 300}`));
  const short = server.send("GET", "/version").then(({ code }) => order.push(`read ${code}`));
  await Promise.all([long, short]);
  expect(order).toEqual(["read 200", "write true"]);
});

test("concurrent patches of one object are all applied", async () => {
  using server = await withConfigMap();
  const keys = ["a", "b", "c"];
  const patches = keys.map((key) =>
    server.send("PATCH", `${configMaps}/a`, { body: { data: { [key]: "1" } }, headers: merge }),
  );
  expect(codes(await Promise.all(patches))).toEqual([200, 200, 200]);
  const stored = await server.object("GET", `${configMaps}/a`);
  expect(stored.data).toEqual({ key: "0", a: "1", b: "1", c: "1" });
});

test("one of two updates with the same resource version is refused with a conflict", async () => {
  using server = await withConfigMap();
  const { metadata } = await server.object("GET", `${configMaps}/a`);
  const updates = ["1", "2"].map((key) =>
    server.send("PUT", `${configMaps}/a`, { body: { metadata, data: { key } } }),
  );
  expect(codes(await Promise.all(updates))).toEqual([200, 409]);
});

test("an update without changes is retried if the object was changed meanwhile", async () => {
  const storage = new MemoryStorage();
  using server = testServer({ clock: slowClock(), storage });
  await server.object("POST", configMaps, data("0"));
  const update = server.send("PUT", `${configMaps}/a`, { body: data("0") });
  for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const [stored] = storage.list("/registry/configmaps/default/").items as [StoredEntry];
  storage.put(stored.key, { expected: stored.revision, json: stored.json.replace('"0"', '"9"') });
  const updated = (await update).body as KubeObject & { data: unknown };
  expect([updated.data, updated.metadata.resourceVersion]).toEqual([{ key: "0" }, String(storage.revision)]);
});

test("one of two creates with the same name is refused", async () => {
  using server = testServer({ clock: slowClock() });
  const creates = ["1", "2"].map((value) => server.send("POST", configMaps, { body: data(value) }));
  const responses = await Promise.all(creates);
  expect(codes(responses)).toEqual([201, 409]);
  expect(responses.find(({ code }) => code === 409)?.body).toMatchObject({ reason: "AlreadyExists" });
});

/** Sends two requests, the second so many turns of the event loop after the first. */
async function staggered(
  turns: number,
  send: (name: string) => Promise<TestResponse>,
): Promise<TestResponse[]> {
  const first = send("a");
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return Promise.all([first, send("b")]);
}

const staggers = Array.from({ length: 25 }, (_, turns) => turns);

test.each(staggers)(
  "applies of an absent object, %i turns apart, create it once with all fields",
  async (turns) => {
    using server = testServer({ clock: slowClock() });
    const responses = await staggered(turns, (manager) =>
      server.send("PATCH", `${configMaps}/a?fieldManager=${manager}`, {
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { [manager]: "1" } },
        headers: apply,
      }),
    );
    expect(codes(responses)).toEqual([200, 201]);
    expect((await server.object("GET", `${configMaps}/a`)).data).toEqual({ a: "1", b: "1" });
  },
);

test.each(staggers)("updates that may create, %i turns apart, create an object once", async (turns) => {
  using server = testServer({ clock: slowClock() });
  const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
  const responses = await staggered(turns, (verb) =>
    server.send("PUT", `${roles}/a`, {
      body: { metadata: { name: "a" }, rules: [{ apiGroups: [""], resources: ["pods"], verbs: [verb] }] },
    }),
  );
  expect(codes(responses)).toEqual([200, 201]);
});

test("Services that are created concurrently get different addresses", async () => {
  using server = testServer({ clock: slowClock() });
  const spec = { type: "NodePort", ports: [{ port: 80, nodePort: 30_080 }] };
  const creates = ["a", "b"].map((name) =>
    server.send("POST", services, { body: { metadata: { name }, spec } }),
  );
  expect(codes(await Promise.all(creates))).toEqual([201, 422]);
  const addresses = await Promise.all(
    ["c", "d"].map((name) =>
      server.object("POST", services, { metadata: { name }, spec: { ports: [{ port: 80 }] } }),
    ),
  );
  const [one, other] = addresses.map((service) => (service as KubeObject as Service).spec?.clusterIP);
  expect(one).not.toBe(other);
});

/** A storage in which another client always writes first. */
class ContestedStorage extends MemoryStorage {
  contested = false;
  attempts = 0;

  override put(key: string, write: StorageWrite): StoredEntry {
    if (!this.contested) return super.put(key, write);
    this.attempts += 1;
    throw new StaleError(key, write.expected, this.get(key));
  }
}

test("a write that is stale a hundred times is refused with a conflict", async () => {
  const storage = new ContestedStorage();
  using server = testServer({ storage });
  await server.object("POST", configMaps, { metadata: { name: "a" } });
  storage.contested = true;
  expect(await server.refusal("PUT", `${configMaps}/a`, data("1"))).toMatchObject({
    code: 409,
    reason: "Conflict",
    message:
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
  });
  expect(storage.attempts).toBe(100);
});
