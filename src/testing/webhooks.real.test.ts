/**
 * The same as `webhooks.test.ts` with real etcd and kube-apiserver. Skipped until `npm run kube` has built the
 * programs.
 */
import { describe } from "vitest";
import { findBinaries } from "./binaries.ts";
import { startCluster } from "./start-cluster.ts";
import { webhookSuite } from "./webhooks.contract.ts";

function binariesFound(): boolean {
  try {
    return findBinaries().etcd !== "";
  } catch {
    return false;
  }
}

describe.skipIf(!binariesFound())("etcd and kube-apiserver", () => {
  webhookSuite(() => startCluster({ engine: "binaries" }));
});
