/** Starts clusters of the real etcd and kube-apiserver. Skipped until `npm run kube` has built them. */
import { existsSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { kind } from "../api/index.ts";
import { ConfigMap, Namespace } from "../api/types/core/v1.ts";
import { ClusterRole, ClusterRoleBinding } from "../api/types/rbac/v1.ts";
import { connect, isForbidden } from "../client/index.ts";
import { controller } from "../controller/index.ts";
import { findBinaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { listsOf, warningsOf } from "./server-responses.fixture.ts";
import { startCluster } from "./start-cluster.ts";

afterEach(() => vi.unstubAllEnvs());

function binariesFound(): boolean {
  try {
    return findBinaries().etcd !== "";
  } catch {
    return false;
  }
}

describe.skipIf(!binariesFound())("etcd and kube-apiserver", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster({ engine: "binaries", users: [{ name: "alice", groups: ["readers"] }] });
  }, 90_000);
  afterAll(() => cluster?.close(), 30_000);

  test("the client may do everything", async () => {
    await cluster.client.create(ConfigMap, {
      metadata: { name: "first", namespace: "default" },
      data: { a: "1" },
    });
    const read = await cluster.client.get(ConfigMap, "default/first");
    expect(read?.data).toEqual({ a: "1" });
  });

  test("a controller whose CustomResourceDefinition was forgotten is one error that names the fix", async () => {
    const Website = kind({
      group: "forgotten.example.dev",
      version: "v1",
      kind: "Website",
      plural: "websites",
      namespaced: true,
    });
    const websites = controller({ name: "websites", for: Website, reconcile: async () => {} });
    await expect(cluster.run({ controllers: [websites] })).rejects.toThrow(
      "startCluster({ kinds: [<the CustomResourceDefinition websites.forgotten.example.dev>] })",
    );
  });

  test("the client logs each warning of the server once", async () => {
    expect(await warningsOf(cluster)).toEqual(['unknown field "dat"']);
  });

  test("lists in gzip are the same as without", async () => {
    const [plain, zipped, whole = []] = await listsOf(cluster);
    expect(zipped).toEqual(plain);
    expect(whole.map(({ metadata }) => metadata.uid)).toEqual(plain?.map(({ metadata }) => metadata.uid));
  });

  test("a user may do what a rule allows its groups, and no more", async () => {
    const { client } = cluster;
    const rules = [{ apiGroups: [""], resources: ["namespaces"], verbs: ["get"] }];
    await client.create(ClusterRole, { metadata: { name: "see-namespaces" }, rules });
    await client.create(ClusterRoleBinding, {
      metadata: { name: "readers" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "see-namespaces" },
      subjects: [{ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: "readers" }],
    });
    await using alice = await connect({ kubeconfig: cluster.kubeconfigOf("alice") });

    await expect
      .poll(() => alice.get(Namespace, "default").then((found) => found?.metadata.name, isForbidden))
      .toBe("default");
    await expect(alice.list(Namespace)).rejects.toSatisfy(isForbidden);
  });

  test("a cluster that existed before goes on when it is closed", async () => {
    const existing = await startCluster({ engine: "existing", kubeconfig: cluster.kubeconfig });
    expect(await existing.client.get(Namespace, "default")).toMatchObject({
      metadata: { name: "default" },
    });
    expect(existing.kubeconfig).toBe(cluster.kubeconfig);
    expect(() => existing.kubeconfigOf("alice")).toThrow(
      'expected an engine that makes users, got "existing": ask that cluster for "alice"',
    );

    await existing.close();
    await existing.close();

    expect(await cluster.client.get(Namespace, "default")).toBeDefined();
  });

  test("an existing cluster is found by KUBECONFIG", async () => {
    vi.stubEnv("KUBECONFIG", cluster.kubeconfig);
    await using existing = await startCluster({ engine: "existing" });
    expect(existing.kubeconfig).toBe(cluster.kubeconfig);
    expect(await existing.client.get(Namespace, "default")).toBeDefined();
  });

  test("a cluster that is closed takes its files with it", async () => {
    const second = await startCluster({ engine: "binaries" });
    expect(existsSync(second.kubeconfig)).toBe(true);
    await Promise.all([second.close(), second.close()]);
    expect(existsSync(second.kubeconfig)).toBe(false);
  }, 90_000);
});
