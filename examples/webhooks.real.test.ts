/** The webhook examples on real etcd and kube-apiserver. Skipped until `npm run kube` has built the programs. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { kubeCacheFolder, startCluster } from "trimtab/testing";
import { describe } from "vitest";
import { podWebhookSuite } from "./builtins/pod-webhooks.contract.ts";
import { admissionSuite } from "./crd/admission.contract.ts";
import { ChaosPod } from "./crd/chaos-pod.ts";

const folder = process.env.KUBEBUILDER_ASSETS || kubeCacheFolder();

describe.skipIf(!existsSync(join(folder, "kube-apiserver")))("etcd and kube-apiserver", () => {
  podWebhookSuite(() => startCluster({ engine: "binaries" }));
  admissionSuite(() => startCluster({ engine: "binaries", kinds: [ChaosPod] }));
});
