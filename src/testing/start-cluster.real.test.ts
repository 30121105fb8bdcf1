/**
 * These tests start clusters of real etcd and kube-apiserver. They are skipped until `npm run kube` has built the
 * programs.
 */
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

  test("the client has all permissions", async () => {
    await cluster.client.create(ConfigMap, {
      metadata: { name: "first", namespace: "default" },
      data: { a: "1" },
    });
    const read = await cluster.client.get(ConfigMap, "default/first");
    expect(read?.data).toEqual({ a: "1" });
  });

  test("a missing CustomResourceDefinition is a single error that names the fix", async () => {
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

  test("lists with and without gzip are equal", async () => {
    const [plain, zipped, whole = []] = await listsOf(cluster);
    expect(zipped).toEqual(plain);
    expect(whole.map(({ metadata }) => metadata.uid)).toEqual(plain?.map(({ metadata }) => metadata.uid));
  });

  test("a user is allowed only what a rule allows its groups", async () => {
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

  test("an existing cluster keeps running after close", async () => {
    const existing = await startCluster({ engine: "existing", kubeconfig: cluster.kubeconfig });
    expect(await existing.client.get(Namespace, "default")).toMatchObject({
      metadata: { name: "default" },
    });
    expect(existing.kubeconfig).toBe(cluster.kubeconfig);
    expect(() => existing.kubeconfigOf("alice")).toThrow(
      'expected an engine that makes users, got "existing": create a kubeconfig for "alice" there',
    );

    await existing.close();
    await existing.close();

    expect(await cluster.client.get(Namespace, "default")).toBeDefined();
  });

  test("an existing cluster is found through KUBECONFIG", async () => {
    vi.stubEnv("KUBECONFIG", cluster.kubeconfig);
    await using existing = await startCluster({ engine: "existing" });
    expect(existing.kubeconfig).toBe(cluster.kubeconfig);
    expect(await existing.client.get(Namespace, "default")).toBeDefined();
  });

  test("closing a cluster removes its files", async () => {
    const second = await startCluster({ engine: "binaries" });
    expect(existsSync(second.kubeconfig)).toBe(true);
    await Promise.all([second.close(), second.close()]);
    expect(existsSync(second.kubeconfig)).toBe(false);
  }, 90_000);
});
