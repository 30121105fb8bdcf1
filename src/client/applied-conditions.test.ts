import { expect, test } from "vitest";
import { type Condition, conditionOf, type Draft, type KubeObject, kind, ready } from "../api/index.ts";
import type { CustomResourceDefinition, JSONSchemaProps } from "../api/types/apiextensions/v1.ts";
import { Deployment } from "../api/types/apps/v1.ts";
import { Job } from "../api/types/batch/v1.ts";
import { VirtualClock } from "../base/index.ts";
import { type Cluster, startCluster } from "../testing/index.ts";
import type { Client } from "./index.ts";

interface Website extends KubeObject {
  spec: { image: string };
  status?: { url?: string; conditions?: Condition[] };
}

const group = "conditions.example.dev";
const Website = kind<Website>({
  group,
  version: "v1",
  kind: "Website",
  plural: "websites",
  namespaced: true,
});

const text = { type: "string" } as const;
const condition: JSONSchemaProps = {
  type: "object",
  properties: {
    type: text,
    status: text,
    reason: text,
    message: text,
    lastTransitionTime: { ...text, format: "date-time" },
    observedGeneration: { type: "integer" },
  },
  required: ["type", "status", "reason", "lastTransitionTime"],
};
const conditions: JSONSchemaProps = {
  type: "array",
  items: condition,
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
};
const definition: Draft<CustomResourceDefinition> = {
  metadata: { name: `websites.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { kind: "Website", plural: "websites" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { image: text } },
              status: { type: "object", properties: { url: text, conditions } },
            },
          },
        },
      },
    ],
  },
};

async function withWebsite(): Promise<{ cluster: Cluster; client: Client; clock: VirtualClock }> {
  const clock = new VirtualClock();
  const cluster = await startCluster({ clock, kinds: [definition] });
  await cluster.client.create(Website, { metadata: { name: "a" }, spec: { image: "nginx" } });
  return { cluster, client: cluster.client, clock };
}

test("a condition keeps its time while its status stays, and gets a new one when the status changes", async () => {
  const { cluster, client, clock } = await withWebsite();
  await using _cluster = cluster;
  const times: (string | undefined)[] = [];
  for (const [isReady, reason] of [
    [false, "Pulling"],
    [false, "Starting"],
    [true, "Deployed"],
  ] as const) {
    const { status } = await client.applyStatus(Website, "a", { conditions: [ready(isReady, reason)] });
    times.push(status?.conditions?.[0]?.lastTransitionTime);
    await clock.advance(60_000);
  }
  expect(times).toEqual(["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "2026-01-01T00:02:00Z"]);
});

test("a condition gets the generation of the object that was observed, or of the current one for a key", async () => {
  const { cluster, client } = await withWebsite();
  await using _cluster = cluster;
  const observed = await client.get(Website, "a");
  await client.patch(Website, "a", { merge: { spec: { image: "caddy" } } });
  const generations: unknown[] = [];
  for (const target of [observed ?? "a", "a"]) {
    const { status } = await client.applyStatus(Website, target, {
      conditions: [ready(true, "Deployed")],
    });
    generations.push(status?.conditions?.[0]?.observedGeneration);
  }
  expect(generations).toEqual([1, 2]);
});

test("conditions of other managers stay, and a condition of our own that is left out is removed", async () => {
  const { cluster, client } = await withWebsite();
  await using _cluster = cluster;
  const other = client.withFieldManager("other");
  const paused = { type: "Paused", status: "True", reason: "Asked", message: "" } as const;
  await other.applyStatus(Website, "a", { conditions: [paused] });
  const types = async (...sent: Omit<Condition, "lastTransitionTime">[]): Promise<string[] | undefined> => {
    const { status } = await client.applyStatus(Website, "a", { conditions: sent });
    return status?.conditions?.map(({ type }) => type);
  };
  expect(await types(ready(true, "Deployed"))).toEqual(["Paused", "Ready"]);
  expect(await types()).toEqual(["Paused"]);
});

test("a kind whose conditions have no observedGeneration gets none", async () => {
  await using cluster = await startCluster();
  const { client } = cluster;
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } };
  await client.create(Deployment, {
    metadata: { name: "a" },
    spec: { selector: { matchLabels: labels }, template },
  });
  const { status } = await client.applyStatus(Deployment, "a", {
    conditions: [ready(true, "Deployed", "yes")],
  });
  expect(Object.keys(conditionOf(status?.conditions, "Ready") ?? {}).sort()).toEqual([
    "lastTransitionTime",
    "lastUpdateTime", // the server prints null
    "message",
    "reason",
    "status",
    "type",
  ]);
});

test("a kind whose conditions are one atomic list is refused, because those of other managers would be lost", async () => {
  await using cluster = await startCluster();
  await expect(cluster.client.applyStatus(Job, "a", { conditions: [ready(true, "Done")] })).rejects.toThrow(
    "expected status.conditions of batch/v1 Job to be a list with one condition per type, got a list of type atomic: " +
      "an apply would remove the conditions of other field managers",
  );
});

test("whole conditions are sent as they are, without a read", async () => {
  const { cluster, client } = await withWebsite();
  await using _cluster = cluster;
  const requests: string[] = [];
  const counted = client.through((transport) => ({
    ...transport,
    send: (request) => {
      requests.push(request.method);
      return transport.send(request);
    },
  }));
  const whole = { ...ready(true, "Deployed"), lastTransitionTime: "2020-01-01T00:00:00Z" };
  const { status } = await counted.applyStatus(Website, "a", { conditions: [whole] });
  expect([status?.conditions, requests]).toEqual([[whole], ["PATCH"]]);
});

test("the schema is read once, and the object only if the caller does not pass its conditions", async () => {
  const { cluster, client } = await withWebsite();
  await using _cluster = cluster;
  const requests: string[] = [];
  const counted = client.through((transport) => ({
    ...transport,
    send: (request) => {
      requests.push(`${request.method} ${request.path.split("?")[0]?.split("/").slice(-2).join("/")}`);
      return transport.send(request);
    },
  }));
  const sent = { conditions: [ready(true, "Deployed")] };
  const current = await counted.applyStatus(Website, "a", sent);
  await counted.applyStatus(Website, "a", sent, { current });
  expect(requests).toEqual([
    "GET conditions.example.dev/v1",
    "GET websites/a",
    "PATCH a/status",
    "PATCH a/status",
  ]);
});

test("patchStatus changes the given fields, removes those that are null, and keeps the others", async () => {
  const { cluster, client } = await withWebsite();
  await using _cluster = cluster;
  await client.applyStatus(Website, "a", { url: "http://a", conditions: [ready(true, "Deployed")] });
  const changed = await client.patchStatus(Website, "a", { url: "http://b" });
  const removed = await client.patchStatus(Website, "a", { url: null });
  expect([changed.status?.url, removed.status?.url, removed.status?.conditions?.length]).toEqual([
    "http://b",
    undefined,
    1,
  ]);
});
