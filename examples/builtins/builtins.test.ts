import { loggerTo } from "trimtab";
import { ReplicaSet } from "trimtab/api/apps/v1";
import { Pod } from "trimtab/api/core/v1";
import { startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { Lines } from "../stage.ts";
import { greetings } from "./builtins.ts";
import { podAnnotator, podValidator } from "./pod-webhooks.ts";
import { tour } from "./tour.ts";

const labels = { app: "web" };
const podSpec = { containers: [{ name: "web", image: "nginx:1.29" }] };
const template = { metadata: { labels }, spec: podSpec };

test("a ReplicaSet is labelled, and labelled again when the label is removed; a Pod is annotated", async ({
  signal,
}) => {
  await using cluster = await startCluster();
  await cluster.run({ controllers: [greetings], webhooks: [podAnnotator, podValidator] });
  const lines = new Lines();
  await tour({ client: cluster.client, say: lines.say, signal });
  expect(lines.all).toEqual([
    "> create the ReplicaSet web without labels",
    "  it has the label hello: world",
    "> remove the label",
    "  it has the label again",
    "> create the Pod web without annotations",
    "  the webhook has added the annotation example-mutating-admission-webhook: foo",
  ]);
});

test("other labels and the spec of a ReplicaSet are unchanged", async () => {
  await using cluster = await startCluster();
  const { client } = cluster;
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  const made = await client.create(ReplicaSet, { metadata: { name: "web", labels }, spec });
  await cluster.run({ controllers: [greetings] });
  const greeted = await cluster.eventually(async () => {
    const set = await client.get(ReplicaSet, "web");
    expect(set?.metadata.labels).toEqual({ app: "web", hello: "world" });
    return set;
  });
  expect(greeted?.spec).toEqual(made.spec);
});

test("an event of a Pod reconciles the ReplicaSet that owns it", async () => {
  await using cluster = await startCluster();
  const { client } = cluster;
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  const web = await client.create(ReplicaSet, { metadata: { name: "web" }, spec });
  const lines = new Lines();
  const log = loggerTo(({ message, fields: { reasons } }) => {
    if (message !== "reconciled") return;
    for (const { kind, key, event } of reasons as readonly Record<string, string>[]) {
      lines.say(`${kind} ${key} ${event}`);
    }
  });
  await cluster.run({ controllers: [greetings], log });
  await lines.printed("ReplicaSet default/web added");
  await client.create(Pod, { metadata: { name: "web-1", labels }, spec: podSpec }, { owner: web });
  await lines.printed("Pod default/web-1 added");
});
