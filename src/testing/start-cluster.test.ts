import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { MissingBinariesError } from "./binaries.ts";
import { listsOf, warningsOf } from "./server-responses.fixture.ts";
import { startCluster } from "./start-cluster.ts";

afterEach(() => vi.unstubAllEnvs());

test.each([undefined, {}, { engine: undefined }])(
  "the default engine runs in this process: %j",
  async (options) => {
    await using cluster = await startCluster(options);
    expect(() => cluster.kubeconfig).toThrow("got one inside this process");
  },
);

test("an unknown engine is refused by name", async () => {
  // @ts-expect-error the types refuse this engine
  await expect(startCluster({ engine: "minikube" })).rejects.toThrow(
    'expected the engine "embedded", "binaries" or "existing", got "minikube"',
  );
});

test("a missing kubeconfig of an existing cluster is an error with its path", async () => {
  const kubeconfig = join(mkdtempSync(join(tmpdir(), "trimtab-none-")), "config");
  await expect(startCluster({ engine: "existing", kubeconfig })).rejects.toThrow(kubeconfig);
  rmSync(join(kubeconfig, ".."), { recursive: true });
});

test("engine binaries without programs names the paths it tried", async () => {
  vi.stubEnv("TEST_ASSET_ETCD", "/nowhere/etcd");
  await expect(startCluster({ engine: "binaries" })).rejects.toThrow(
    new MissingBinariesError("etcd", ["/nowhere/etcd"]),
  );
});

test("the client of an embedded cluster logs each warning of the server once", async () => {
  await using cluster = await startCluster();
  expect(await warningsOf(cluster)).toEqual(['unknown field "dat"']);
});

test("lists with and without gzip are equal", async () => {
  await using cluster = await startCluster({ listen: true });
  const [plain, zipped, whole = []] = await listsOf(cluster);
  expect(zipped).toEqual(plain);
  expect(whole.map(({ metadata }) => metadata.uid)).toEqual(plain?.map(({ metadata }) => metadata.uid));
});
