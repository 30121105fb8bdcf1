import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { kind } from "../api/index.ts";
import { ConfigMap, Namespace } from "../api/types/core/v1.ts";
import { ClusterRole, ClusterRoleBinding } from "../api/types/rbac/v1.ts";
import { connect, isForbidden } from "../client/index.ts";
import { controller } from "../controller/index.ts";
import { findBinaries, MissingBinariesError } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { startCluster } from "./start-cluster.ts";

afterEach(() => vi.unstubAllEnvs());

test.each([undefined, {}, { engine: undefined }])(
  "who names no engine has one in this process: %j",
  async (options) => {
    await using cluster = await startCluster(options);
    expect(() => cluster.kubeconfig).toThrow("got one inside this process");
  },
);

test("an engine that does not exist is refused by name", async () => {
  // @ts-expect-error what the types refuse
  await expect(startCluster({ engine: "minikube" })).rejects.toThrow(
    'expected the engine "embedded", "binaries" or "existing", got "minikube"',
  );
});

test("an existing cluster whose kubeconfig does not exist is refused with its path", async () => {
  const kubeconfig = join(mkdtempSync(join(tmpdir(), "trimtab-none-")), "config");
  await expect(startCluster({ engine: "existing", kubeconfig })).rejects.toThrow(kubeconfig);
  rmSync(join(kubeconfig, ".."), { recursive: true });
});

test("engine binaries without programs says where it looked", async () => {
  vi.stubEnv("TEST_ASSET_ETCD", "/nowhere/etcd");
  await expect(startCluster({ engine: "binaries" })).rejects.toThrow(
    new MissingBinariesError("etcd", ["/nowhere/etcd"]),
  );
});

/** The warnings on standard error while two objects with one unknown field are created. */
async function warningsOf(cluster: Cluster): Promise<string[]> {
  const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    for (const name of ["one", "two"]) {
      const unknown: object = { metadata: { name }, data: { a: "1" }, dat: { b: "2" } };
      await cluster.client.create(ConfigMap, unknown as ConfigMap);
    }
    return written.mock.calls.map(([line]) => (JSON.parse(String(line)) as { text: string }).text);
  } finally {
    written.mockRestore();
  }
}

test("the client of a cluster in this process logs each warning of the server once", async () => {
  await using cluster = await startCluster();
  expect(await warningsOf(cluster)).toEqual(['unknown field "dat"']);
});

/** A list in two long pages: without gzip, with gzip, and with gzip and managedFields. */
async function listsOf(cluster: Cluster): Promise<ConfigMap[][]> {
  const data = { text: "menu ".repeat(2000) };
  const names = Array.from({ length: 40 }, (_, index) => `long-${index}`);
  await Promise.all(names.map((name) => cluster.client.create(ConfigMap, { metadata: { name }, data })));
  await using zipped = await connect({ kubeconfig: cluster.kubeconfig, http: { gzip: true } });
  await using plain = await connect({ kubeconfig: cluster.kubeconfig });
  const options = { namespace: "default", pageSize: 25 };
  return await Promise.all([
    plain.list(ConfigMap, options),
    zipped.list(ConfigMap, options),
    zipped.list(ConfigMap, { ...options, managedFields: true }),
  ]);
}

test("lists in gzip are the same as without", async () => {
  await using cluster = await startCluster({ listen: true });
  const [plain, zipped, whole = []] = await listsOf(cluster);
  expect(zipped).toEqual(plain);
  expect(whole.map(({ metadata }) => metadata.uid)).toEqual(plain?.map(({ metadata }) => metadata.uid));
});

function binariesFound(): boolean {
  try {
    return findBinaries().etcd !== "";
  } catch {
    return false;
  }
}

describe.skipIf(!binariesFound())(
  "on etcd and kube-apiserver (skipped where `npm run kube` has not built them)",
  () => {
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
  },
);
