import { controlledBy } from "trimtab/api";
import { Deployment } from "trimtab/api/apps/v1";
import { Event } from "trimtab/api/events/v1";
import type { Client } from "trimtab/client";
import { startCluster } from "trimtab/testing";
import { expect, type TestContext, test } from "vitest";
import { Foo } from "../foo/foo.ts";
import { tourLines } from "../foo/tour.fixture.ts";
import { outputOf } from "../output-of.ts";
import { Lines } from "../stage.ts";
import { until } from "../until.ts";
import { run } from "./run.ts";

/** Returns a cluster with the controller running on it. */
async function running({ signal }: TestContext) {
  const cluster = await startCluster({ kinds: [Foo] });
  const { client } = cluster;
  const ended = new AbortController();
  const lines = new Lines();
  const working = run({ client, say: lines.say, signal: ended.signal });
  return {
    client,
    lines,
    stage: { client, signal },
    async [Symbol.asyncDispose]() {
      ended.abort();
      await working;
      await cluster.close();
    },
  };
}

const deploymentOf = (name: string, replicas: number) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "web", image: "nginx:1.29" }] },
    },
  },
});

function makeFoo(client: Client, replicas = 2): Promise<Foo> {
  return client.create(Foo, { metadata: { name: "a" }, spec: { deploymentName: "web", replicas } });
}

/** Holds once the controller has reconciled the Foo. */
const synced = { name: "a", holds: ({ status }: Foo) => status !== undefined };

test("a Foo gets the Deployment that it names, as its owner, and a status", async (context) => {
  await using on = await running(context);
  const foo = await makeFoo(on.client);
  const { status } = await until(on.stage, Foo, synced);
  const web = await on.client.get(Deployment, "web");
  expect(status).toEqual({ availableReplicas: 0 });
  expect([web?.spec.replicas, web?.metadata.ownerReferences]).toEqual([2, [controlledBy(foo)]]);
  const event = await until(on.stage, Event, { holds: ({ reason }) => reason === "Synced" });
  expect([event.type, event.note, event.regarding?.uid]).toEqual([
    "Normal",
    "Foo synced successfully",
    foo.metadata.uid,
  ]);
});

test("an up-to-date Deployment is not written", async (context) => {
  await using on = await running(context);
  const foo = await makeFoo(on.client);
  await until(on.stage, Foo, synced);
  const before = await on.client.get(Deployment, "web");
  await on.client.patch(Foo, "a", { merge: { metadata: { labels: { touched: "yes" } } } });
  const again = ({ series }: Event) => series !== undefined;
  await until(on.stage, Event, { holds: again });
  expect(await on.client.get(Deployment, "web")).toEqual(before);
  expect((await on.client.get(Foo, "a"))?.metadata.generation).toBe(foo.metadata.generation);
});

test("a Deployment follows its Foo, and changes by others are reverted", async (context) => {
  await using on = await running(context);
  await makeFoo(on.client);
  await until(on.stage, Foo, synced);
  await on.client.patch(Foo, "a", { merge: { spec: { replicas: 3 } } });
  await until(on.stage, Deployment, { name: "web", holds: ({ spec }) => spec.replicas === 3 });
  await on.client.patch(Deployment, "web", { merge: { spec: { replicas: 9 } } });
  await until(on.stage, Deployment, { name: "web", holds: ({ spec }) => spec.replicas === 3 });
  expect(on.lines.all).toContain("controller: scale Deployment default/web from 9 to 3");
});

test("a deleted Deployment is created again", async (context) => {
  await using on = await running(context);
  await makeFoo(on.client);
  await until(on.stage, Foo, synced);
  const { uid } = (await on.client.get(Deployment, "web"))?.metadata ?? {};
  await on.client.delete(Deployment, "web");
  const web = await until(on.stage, Deployment, {
    name: "web",
    holds: ({ metadata }) => metadata.uid !== uid,
  });
  expect(web.spec.replicas).toBe(2);
});

test("the status of a Foo has the available replicas of its Deployment", async (context) => {
  await using on = await running(context);
  await makeFoo(on.client);
  await until(on.stage, Foo, synced);
  const status = { replicas: 2, readyReplicas: 1, availableReplicas: 1 };
  await on.client.patch(Deployment, "web", { merge: { status } }, { subresource: "status" });
  const available = (foo: Foo) => foo.status?.availableReplicas === 1;
  const foo = await until(on.stage, Foo, { name: "a", holds: available });
  expect(foo.metadata.generation).toBe(1);
});

test("a Deployment of another owner is unchanged, with an event and a retry", async (context) => {
  await using on = await running(context);
  const taken = await on.client.create(Deployment, deploymentOf("web", 5));
  await makeFoo(on.client);
  const refused = ({ reason }: Event) => reason === "ErrResourceExists";
  const event = await until(on.stage, Event, { holds: (each) => refused(each) && each.series !== undefined });
  const text = 'Resource "web" already exists and is not managed by Foo';
  expect([event.type, event.note]).toEqual(["Warning", text]);
  expect(await on.client.get(Deployment, "web")).toEqual(taken);
  expect(on.lines.all).toContain(`controller: error syncing default/a, requeuing: ${text}`);
});

test("with --once the tour is printed line by line, and the program exits", async () => {
  const printed = await outputOf(new URL("./main.ts", import.meta.url), "--once");
  expect(printed[0]).toMatch(
    /^The sample controller, on an API server of Kubernetes v1\..* in this process\.$/,
  );
  // The controller's output is interleaved with the tour.
  expect(printed.filter((line) => /^(>| {2})/.test(line))).toEqual(tourLines);
  expect(printed).toContain("event: Normal Synced: Foo synced successfully");
  expect(printed.at(-1)).toBe("controller: workers stopped");
});
