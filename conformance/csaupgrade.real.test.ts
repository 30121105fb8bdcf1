/**
 * These tests compare our take-over with client-go's csaupgrade on kube-apiserver. They are skipped without Go or the
 * server's programs.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Draft, Kind, KubeObject } from "../src/api/index.ts";
import { Deployment } from "../src/api/types/apps/v1.ts";
import { ConfigMap, Namespace } from "../src/api/types/core/v1.ts";
import type { Client } from "../src/client/index.ts";
import { type Cluster, MissingBinariesError, startCluster } from "../src/testing/index.ts";
import { loadConfig } from "../src/transport/index.ts";
import { CannotBuildHere, compile, fetchPackages, requireGo } from "./go.ts";
import type { KubeProgram } from "./kube-programs.ts";
import { managersOf, masked } from "./masked.ts";

const upgrader: KubeProgram = {
  name: "csaupgrade",
  module: fileURLToPath(new URL("./csaupgrade", import.meta.url)),
  package: ".",
  linker: "-s -w",
};

const folder = mkdtempSync(join(tmpdir(), "trimtab-csaupgrade-"));
const program = join(folder, "csaupgrade");
let cluster: Cluster | undefined;
/** The reason why this machine cannot compare, if any. */
let problem: string | undefined;

beforeAll(async () => {
  try {
    requireGo();
    await fetchPackages(upgrader);
    await compile(upgrader, program, () => {});
    cluster = await startCluster({ engine: "binaries" });
  } catch (error) {
    if (!(error instanceof CannotBuildHere || error instanceof MissingBinariesError)) throw error;
    problem = error.message;
  }
}, 900_000);

afterAll(async () => {
  await cluster?.close();
  rmSync(folder, { recursive: true });
});

interface History<T extends KubeObject> {
  readonly kind: Kind<T>;
  /** The writes before the take-over, in the client's namespace. The object's name is `a`. */
  readonly writes: (client: Client) => Promise<unknown>;
  /** The object that the new field manager applies. */
  readonly draft: Draft<T>;
  readonly subresource?: "status";
}

interface Outcome<T> {
  readonly object: T;
  readonly managers: unknown;
}

const from = ["old", "older"];
const to = "new";
const old = { fieldManager: "old" };
const older = { fieldManager: "older" };
const other = { fieldManager: "other" };

let namespaces = 0;

/** Plays the history in two namespaces, and takes over with our client in one and with csaupgrade in the other. */
async function takenOver<T extends KubeObject>(
  { client, kubeconfig }: Cluster,
  history: History<T>,
): Promise<{ readonly ours: Outcome<T>; readonly theirs: Outcome<T> }> {
  const number = ++namespaces;
  const started = async (name: string): Promise<Client> => {
    await client.create(Namespace, { metadata: { name } });
    const inside = client.inNamespace(name);
    await history.writes(inside);
    return inside;
  };
  const { kind, draft, subresource } = history;
  const ours = await started(`ours-${number}`);
  await ours.apply(kind, draft, { fieldManager: to, takeOver: from, force: true, subresource });
  const theirs = await started(`theirs-${number}`);
  const { path } = await theirs.collection(kind, { namespace: theirs.namespace });
  const body = { apiVersion: kind.group ? `${kind.group}/${kind.version}` : kind.version, kind: kind.kind };
  const request = { path: `${path}/a`, subresource, body: { ...body, ...draft }, from, to };
  const { server } = await loadConfig({ kubeconfig });
  execFileSync(program, [kubeconfig, server, JSON.stringify(request)], { stdio: ["ignore", "pipe", "pipe"] });
  return { ours: await outcome(ours, kind), theirs: await outcome(theirs, kind) };
}

/** Returns the object without values that differ between runs. Managed fields of the same second are sorted. */
async function outcome<T extends KubeObject>(client: Client, kind: Kind<T>): Promise<Outcome<T>> {
  const object = await client.get(kind, "a");
  if (!object) throw new Error(`${kind.kind} a not found in ${client.namespace}`);
  const { managedFields = [], ...metadata } = { ...object.metadata, namespace: "<namespace>" };
  const identity = ({ manager, operation, subresource }: (typeof managedFields)[number]): string =>
    [manager, operation, subresource].join(" ");
  managedFields.sort((one, two) => (identity(one) < identity(two) ? -1 : 1));
  return {
    object: masked({ ...object, metadata }) as T, // masking keeps the type
    managers: managersOf({ metadata: { managedFields } }),
  };
}

const app = { app: "web" };
const container = { name: "web", image: "web:1", ports: [{ containerPort: 80 }, { containerPort: 81 }] };
const env = [
  { name: "KEPT", value: "1" },
  { name: "DROPPED", value: "1" },
];
const pods = (...containers: (typeof container)[]): { readonly spec: Deployment["spec"] } => ({
  spec: {
    selector: { matchLabels: app },
    template: { metadata: { labels: app }, spec: { containers } },
  },
});

test("fields of a manager that created and updated an object are taken over as csaupgrade does", async (context) => {
  if (!cluster) return context.skip(problem);
  const { ours, theirs } = await takenOver(cluster, {
    kind: ConfigMap,
    async writes(client) {
      const metadata = { name: "a", labels: app, annotations: { dropped: "1" } };
      await client.create(ConfigMap, { metadata, data: { kept: "1", dropped: "1" } }, old);
      await client.patch(ConfigMap, "a", { merge: { data: { foreign: "1" } } }, other);
      await client.patch(ConfigMap, "a", { merge: { data: { patched: "1" } } }, old);
    },
    draft: { metadata: { name: "a" }, data: { kept: "2", added: "1" } },
  });
  expect(ours).toEqual(theirs);
  expect(ours.object.data).toEqual({ kept: "2", added: "1", foreign: "1" });
});

test("fields of two managers, each of which applied and updated, are taken over as csaupgrade does", async (context) => {
  if (!cluster) return context.skip(problem);
  const { ours, theirs } = await takenOver(cluster, {
    kind: ConfigMap,
    async writes(client) {
      const metadata = { name: "a" };
      await client.apply(ConfigMap, { metadata: { ...metadata, labels: app }, data: { one: "1" } }, older);
      await client.patch(ConfigMap, "a", { merge: { data: { two: "1" } } }, older);
      await client.apply(ConfigMap, { metadata, data: { one: "1", three: "1" } }, old);
      await client.patch(ConfigMap, "a", { merge: { data: { four: "1" } } }, old);
      await client.apply(ConfigMap, { metadata, data: { one: "1", foreign: "1" } }, other);
      await client.apply(ConfigMap, { metadata, data: { three: "1", five: "1" } }, { fieldManager: to });
    },
    draft: { metadata: { name: "a" }, data: { three: "1" } },
  });
  expect(ours).toEqual(theirs);
  expect(ours.object.data).toEqual({ one: "1", three: "1", foreign: "1" });
});

test("items of lists that are maps are taken over as csaupgrade does", async (context) => {
  if (!cluster) return context.skip(problem);
  const { ours, theirs } = await takenOver(cluster, {
    kind: Deployment,
    async writes(client) {
      const metadata = { name: "a", labels: app };
      const sidecar = { name: "sidecar", image: "sidecar", ports: [] };
      await client.create(Deployment, { metadata, ...pods({ ...container, ...{ env } }, sidecar) }, older);
      const applied = { metadata, ...pods({ ...container, image: "web:2" }) };
      await client.apply(Deployment, applied, { ...old, force: true });
      const containers = [{ name: "web", env: [{ name: "FOREIGN", value: "1" }] }];
      const strategic = { spec: { template: { spec: { containers } } } };
      await client.patch(Deployment, "a", { strategic }, other);
      await client.patch(Deployment, "a", { merge: { spec: { replicas: 2 } } }, old);
    },
    draft: {
      metadata: { name: "a" },
      ...pods({ ...container, image: "web:3", ports: [{ containerPort: 81 }] }),
    },
  });
  expect(ours).toEqual(theirs);
  expect(ours.object.spec?.template.spec?.containers).toMatchObject([
    { name: "web", image: "web:3", ports: [{ containerPort: 81 }], env: [{ name: "FOREIGN", value: "1" }] },
  ]);
});

test("a status is taken over as csaupgrade does, without the rest of the object", async (context) => {
  if (!cluster) return context.skip(problem);
  const { ours, theirs } = await takenOver(cluster, {
    kind: Deployment,
    async writes(client) {
      await client.apply(Deployment, { metadata: { name: "a" }, ...pods(container) }, old);
      const available = { type: "Available", status: "True", reason: "Up", message: "" };
      const status = { replicas: 2, readyReplicas: 1, conditions: [available] };
      await client.applyStatus(Deployment, "a", status, old);
      const subresource = "status";
      const merge = { status: { updatedReplicas: 1, conditions: [available, { ...available, type: "B" }] } };
      await client.patch(Deployment, "a", { merge }, { ...older, subresource });
      await client.patch(
        Deployment,
        "a",
        { merge: { status: { observedGeneration: 1 } } },
        { ...other, subresource },
      );
    },
    draft: { metadata: { name: "a" }, status: { replicas: 3 } },
    subresource: "status",
  });
  expect(ours).toEqual(theirs);
  expect(ours.object.status).toEqual({ observedGeneration: 1, replicas: 3 });
  expect(ours.managers).toMatchObject([
    { manager: "new", subresource: "status" },
    { manager: "old", operation: "Apply" },
    { manager: "other", subresource: "status" },
  ]);
});

test("finalizers of a former manager are kept, unlike with csaupgrade, and the rest is equal", async (context) => {
  if (!cluster) return context.skip(problem);
  const finalizers = ["example.dev/held"];
  const { ours, theirs } = await takenOver(cluster, {
    kind: ConfigMap,
    async writes(client) {
      const draft = { metadata: { name: "a", labels: app, finalizers }, data: { dropped: "1" } };
      await client.create(ConfigMap, draft, old);
    },
    draft: { metadata: { name: "a" }, data: { kept: "1" } },
  });
  const { finalizers: kept, ...metadata } = ours.object.metadata;
  expect([kept, theirs.object.metadata.finalizers]).toEqual([finalizers, undefined]);
  expect({ ...ours, object: { ...ours.object, metadata } }).toEqual(theirs);
});
