import { afterAll, expect, test } from "vitest";
import { Deployment } from "../api/types/apps/v1.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { startCluster } from "../testing/index.ts";
import type { ApiRequest, Transport } from "../transport/index.ts";
import { type Client, isConflict } from "./index.ts";

const cluster = await startCluster();
afterAll(() => cluster.close());

/** Returns a client that writes as `new`, and its requests. */
function observed(before: (request: ApiRequest, sent: readonly string[]) => Promise<void> = async () => {}): {
  readonly client: Client;
  readonly sent: string[];
} {
  const sent: string[] = [];
  const layer = (transport: Transport): Transport => ({
    ...transport,
    server: transport.server,
    open: (request) => transport.open(request),
    close: () => transport.close(),
    send: async (request) => {
      const type = String(request.headers?.["content-type"] ?? "");
      sent.push(`${request.method} ${type.replace("application/", "")}`.trim());
      await before(request, sent);
      return transport.send(request);
    },
  });
  return { client: cluster.client.withFieldManager("new").through(layer), sent };
}

const apply = "PATCH apply-patch+yaml";
const move = "PATCH json-patch+json";
const takeOver = ["old"];

const managersOf = ({ metadata }: ConfigMap | Deployment): string[] =>
  (metadata.managedFields ?? []).map(({ manager, operation }) => `${operation} ${manager}`).sort();

test("former fields that are no longer applied are removed, and later applies take one request", async () => {
  const { client, sent } = observed();
  const metadata = { name: "once" };
  const data = { kept: "1", dropped: "1" };
  await cluster.client.apply(ConfigMap, { metadata, data }, { fieldManager: "old" });
  const patch = { merge: { data: { patched: "1" } } };
  await cluster.client.patch(ConfigMap, "once", patch, { fieldManager: "old" });
  await cluster.client.patch(
    ConfigMap,
    "once",
    { merge: { data: { foreign: "1" } } },
    { fieldManager: "other" },
  );
  const applied = await client.apply(ConfigMap, { metadata, data: { kept: "1" } }, { takeOver });
  expect([applied.data, managersOf(applied)]).toEqual([
    { kept: "1", foreign: "1" },
    ["Apply new", "Update other"],
  ]);
  expect(sent).toEqual([apply, move, apply]);
  await client.apply(ConfigMap, { metadata, data: { kept: "1" } }, { takeOver });
  expect(sent).toEqual([apply, move, apply, apply]);
});

test("applyStatus takes over only the status", async () => {
  const { client, sent } = observed();
  const template = {
    metadata: { labels: { a: "b" } },
    spec: { containers: [{ name: "web", image: "web" }] },
  };
  const spec = { selector: { matchLabels: { a: "b" } }, template };
  await cluster.client.apply(Deployment, { metadata: { name: "web" }, spec }, { fieldManager: "old" });
  const status = { replicas: 2, readyReplicas: 1 };
  await cluster.client.applyStatus(Deployment, "web", status, { fieldManager: "old" });
  const applied = await client.applyStatus(Deployment, "web", { replicas: 2 }, { takeOver, force: true });
  expect([applied.status, managersOf(applied), sent]).toEqual([
    { replicas: 2 },
    ["Apply new", "Apply old"],
    [apply, move, apply],
  ]);
});

test("without force, a take-over resolves a conflict with the former manager but no other conflict", async () => {
  const { client, sent } = observed();
  const metadata = { name: "held" };
  await cluster.client.apply(ConfigMap, { metadata, data: { a: "1" } }, { fieldManager: "old" });
  const applied = await client.apply(ConfigMap, { metadata, data: { a: "2" } }, { takeOver });
  expect([applied.data, managersOf(applied)]).toEqual([{ a: "2" }, ["Apply new"]]);
  expect(sent).toEqual([apply, "GET", move, apply]);
  const other = client.withFieldManager("third", { takeOver });
  const refused = await other
    .apply(ConfigMap, { metadata, data: { a: "3" } })
    .catch((error: unknown) => error);
  expect(isConflict(refused)).toBe(true);
});

test("the move is repeated for an object that changes meanwhile, up to three times", async () => {
  let changes = 2;
  const { client, sent } = observed(async (_, all) => {
    if (all.at(-1) !== move || changes-- <= 0) return;
    await cluster.client.patch(ConfigMap, "busy", { merge: { data: { changes: String(changes) } } });
  });
  const metadata = { name: "busy" };
  const data = { a: "1" };
  await cluster.client.apply(ConfigMap, { metadata, data }, { fieldManager: "old" });
  const applied = await client.apply(ConfigMap, { metadata, data }, { takeOver });
  expect(managersOf(applied)).toEqual(["Apply new", "Update trimtab"]);
  expect(sent).toEqual([apply, move, apply, move, apply, move, apply]);
  changes = 100;
  await cluster.client.apply(ConfigMap, { metadata, data }, { fieldManager: "old" });
  await expect(client.apply(ConfigMap, { metadata, data }, { takeOver })).rejects.toThrow("409");
  expect(sent.filter((line) => line === move)).toHaveLength(3 + 3);
});

test("the takeOver of a client applies to its own field manager, and not to dry runs", async () => {
  const { client, sent } = observed();
  const renamed = client.withFieldManager("newest", { takeOver });
  const metadata = { name: "client" };
  const draft = { metadata, data: { a: "1" } };
  await cluster.client.apply(ConfigMap, draft, { fieldManager: "old" });
  await renamed.apply(ConfigMap, draft, { dryRun: true });
  await renamed.apply(ConfigMap, draft, { fieldManager: "another" });
  expect(sent).toEqual([apply, apply]);
  const applied = await renamed.inNamespace("default").apply(ConfigMap, draft);
  expect(managersOf(applied)).toEqual(["Apply another", "Apply newest"]);
});

test("finalizers of the former manager are kept", async () => {
  const { client } = observed();
  const metadata = { name: "finalized" };
  const finalizers = ["trimtab.dev/web"];
  await cluster.client.create(ConfigMap, { metadata: { ...metadata, finalizers } }, { fieldManager: "old" });
  const applied = await client.apply(ConfigMap, { metadata, data: { a: "1" } }, { takeOver });
  expect([applied.metadata.finalizers, managersOf(applied)]).toEqual([finalizers, ["Apply new"]]);
});
