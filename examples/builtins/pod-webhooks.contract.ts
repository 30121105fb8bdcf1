import type { New } from "trimtab/api";
import { ReplicaSet } from "trimtab/api/apps/v1";
import { Pod } from "trimtab/api/core/v1";
import type { Cluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { greetings } from "./builtins.ts";
import { podAnnotator, podValidator } from "./pod-webhooks.ts";

const annotation = "example-mutating-admission-webhook";
const spec = { containers: [{ name: "web", image: "nginx:1.29" }] };

/** Tests of the Pod webhooks through an API server. @param start Starts a cluster, which the test closes. */
export function podWebhookSuite(start: () => Promise<Cluster>): void {
  test("the API server calls both webhooks while the controller runs", async () => {
    await using cluster = await start();
    await cluster.run({ controllers: [greetings], webhooks: [podAnnotator, podValidator] });
    const labels = { app: "web" };
    const template = { metadata: { labels }, spec };
    await cluster.client.create(ReplicaSet, {
      metadata: { name: "web" },
      spec: { selector: { matchLabels: labels }, template },
    });
    expect(await created(cluster, podWith({ team: "shop" }))).toEqual({ team: "shop", [annotation]: "foo" });
    await cluster.eventually(async () => {
      expect((await cluster.client.get(ReplicaSet, "web"))?.metadata.labels).toMatchObject({
        hello: "world",
      });
    });
  });

  test("without the mutating webhook, the validating one denies Pods", async () => {
    await using cluster = await start();
    await cluster.run({ controllers: [], webhooks: [podValidator] });
    expect(await created(cluster, podWith())).toContain(
      `admission webhook "validate.pods.core" denied the request: metadata.annotations[${annotation}]: is required`,
    );
    expect(await created(cluster, podWith({ [annotation]: "foo" }))).toEqual({ [annotation]: "foo" });
  });
}

function podWith(annotations?: Record<string, string>): New<Pod> {
  return { metadata: { name: "web", namespace: "default", ...(annotations && { annotations }) }, spec };
}

/** Creates a Pod, and returns its annotations or the message of the error. */
async function created(cluster: Cluster, pod: New<Pod>): Promise<unknown> {
  return cluster.client.create(Pod, pod).then(
    ({ metadata }) => metadata.annotations,
    (error: Error) => error.message,
  );
}
