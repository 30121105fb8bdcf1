// Compiled, never run. The last sections of docs/coming-from-go.md: see coming-from-go.test-d.ts.

import { Pod } from "../src/api/types/core/v1.ts";
import type { CustomObject, Resource } from "../src/crd/index.ts";
import type { Controller } from "../src/index.ts";
import { manager } from "../src/index.ts";
import type { Cluster } from "../src/testing/index.ts";
import { expectIdempotent, startCluster, VirtualClock } from "../src/testing/index.ts";
import type {
  CertificateFilesOptions,
  ConvertibleKind,
  RawWebhookOptions,
  WebhookHandlers,
  WebhookService,
} from "../src/webhook/index.ts";
import { Denied, rawWebhook, review, webhook } from "../src/webhook/index.ts";

type Website = CustomObject<{ image: string }, { ready: boolean }>;
declare const Website: Resource<Website>;
declare const site: Website;
declare const invalid: boolean;
declare const websites: Controller;
declare const controllers: readonly Controller[];
declare const service: WebhookService;
declare const url: string;
declare const files: CertificateFilesOptions;
declare const cluster: Cluster;
declare const rules: RawWebhookOptions["rules"];
declare const admit: RawWebhookOptions["admit"];
declare const convertible: ConvertibleKind;
declare const validate: () => void;
declare const validateDelete: NonNullable<WebhookHandlers<Pod>["validateDelete"]>;
declare const setDefaults: (object: Website) => void;
declare function check(): Promise<void>;

/** Testing */
export async function tests(): Promise<void> {
  const cluster = await startCluster();
  await cluster.close();
  await startCluster({ kinds: [Website] });
  await startCluster({ engine: "binaries" });
  await startCluster({ engine: "binaries", flags: { "runtime-config": "api/all=true" } });
  await startCluster({ engine: "existing" });
  await startCluster({ listen: true, users: [{ name: "jane", groups: ["dev"] }] });
  cluster.kubeconfigOf("jane");
  await cluster.client.create(Website, { metadata: { name: "docs" }, spec: { image: "nginx" } });
  await startCluster({ faults: [{ on: { verb: "update" }, fault: { type: "refuse", code: 503 } }] });
  await cluster.run({ controllers: [websites] });
  await cluster.eventually(check);
  await cluster.settled();
  await expectIdempotent(cluster, { controllers: [websites] });
  await startCluster({ clock: new VirtualClock() });
  await cluster.advance(60_000);
}

/** Webhooks */
export async function webhooks(): Promise<void> {
  const admission = webhook(Website, { default: (object) => setDefaults(object), validate });
  webhook(Pod, { validate, validateDelete });
  if (invalid) throw new Denied("is immutable", { field: "spec.domain" });
  rawWebhook({ type: "mutating", name: "labels.example.dev", rules, admit });
  manager({ controllers, webhooks: [admission], webhookServer: { url, certificates: files } });
  await cluster.run({ controllers: [websites], webhooks: [admission] });
  await review(admission, { object: site });
  manager({ controllers, webhooks: [convertible], webhookServer: { service } });
}
