import { vi } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { connect } from "../client/index.ts";
import type { Cluster } from "./cluster.ts";

/** Returns the warnings on standard error while two objects with the same unknown field are created. */
export async function warningsOf(cluster: Cluster): Promise<string[]> {
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

/** Returns a list in two long pages: without gzip, with gzip, and with gzip and managedFields. */
export async function listsOf(cluster: Cluster): Promise<ConfigMap[][]> {
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
