import { expect, test } from "vitest";
import { testServer } from "../requests.fixture.ts";

const apps = "/apis/apps/v1/namespaces/default";
const deployments = `${apps}/deployments`;
const selector = { matchLabels: { app: "a" } };
const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "c", image: "i:1" }] } };

test("a Deployment defaults to a rolling update of 25%", async () => {
  using api = testServer();
  const { metadata, spec, status } = await api.object("POST", deployments, {
    metadata: { name: "d" },
    spec: { selector, template },
  });
  expect(metadata.generation).toBe(1);
  expect(spec).toMatchObject({
    replicas: 1,
    strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    template: { spec: { restartPolicy: "Always", dnsPolicy: "ClusterFirst" } },
  });
  expect(status).toEqual({});
});

const rejected: ReadonlyArray<readonly [spec: object, message: string]> = [
  [
    {},
    "[spec.selector: Required value, spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`, spec.template.spec.containers: Required value]",
  ],
  [{ selector: {}, template }, "spec.selector: Invalid value: {}: empty selector is invalid for deployment"],
  [
    { selector: { matchLabels: { app: "b" } }, template },
    'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
  ],
  [
    { selector, template, strategy: { type: "Recreate", rollingUpdate: {} } },
    "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
  ],
  [
    { selector, template, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
    "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0",
  ],
];

test.each(rejected)(
  "a Deployment with %j is rejected with kube-apiserver's message",
  async (spec, message) => {
    using api = testServer();
    const refusal = await api.refusal("POST", deployments, { metadata: { name: "d" }, spec });
    expect(refusal.message).toBe(`Deployment.apps "d" is invalid: ${message}`);
  },
);

test("annotations increment the generation of a Deployment, but not of a ReplicaSet", async () => {
  using api = testServer();
  const generations: unknown[] = [];
  for (const path of [deployments, `${apps}/replicasets`]) {
    await api.object("POST", path, { metadata: { name: "a" }, spec: { selector, template } });
    const metadata = { name: "a", annotations: { x: "1" } };
    const updated = await api.object("PUT", `${path}/a`, { metadata, spec: { selector, template } });
    generations.push(updated.metadata.generation);
  }
  expect(generations).toEqual([2, 1]);
});

test("updating the status of a Deployment changes annotations, but neither labels nor spec", async () => {
  using api = testServer();
  await api.object("POST", deployments, { metadata: { name: "d" }, spec: { selector, template } });
  const { metadata, spec, status } = await api.object("PUT", `${deployments}/d/status`, {
    metadata: { name: "d", annotations: { rev: "1" }, labels: { l: "1" } },
    spec: { selector, template, replicas: 9 },
    status: { replicas: 1 },
  });
  expect([metadata.annotations, metadata.labels, metadata.generation]).toEqual([{ rev: "1" }, undefined, 1]);
  expect([(spec as { replicas: number }).replicas, status]).toEqual([1, { replicas: 1 }]);
});

test("readyReplicas must not exceed replicas", async () => {
  using api = testServer();
  await api.object("POST", deployments, { metadata: { name: "d" }, spec: { selector, template } });
  const refusal = await api.refusal("PUT", `${deployments}/d/status`, {
    metadata: { name: "d" },
    spec: { selector, template },
    status: { replicas: 1, readyReplicas: 2 },
  });
  expect(refusal.message).toBe(
    'Deployment.apps "d" is invalid: status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
  );
});
