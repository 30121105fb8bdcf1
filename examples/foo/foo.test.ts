import { Deployment } from "trimtab/api/apps/v1";
import { Event } from "trimtab/api/events/v1";
import { connect } from "trimtab/client";
import { type Cluster, startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { outputOf, Started } from "../output-of.ts";
import { until } from "../until.ts";
import { Foo, foos } from "./foo.ts";
import { tourLines } from "./tour.fixture.ts";

async function running(): Promise<Cluster> {
  const cluster = await startCluster({ kinds: [Foo] });
  await cluster.run({ controllers: [foos] });
  return cluster;
}

/** Waits until `get` finds an object. */
function found<T>(cluster: Cluster, get: () => Promise<T | undefined>): Promise<T> {
  return cluster.eventually(async () => {
    const object = await get();
    if (object === undefined) throw new Error("expected an object, got none");
    return object;
  });
}

test("a Foo gets its Deployment, and its status follows", async () => {
  await using cluster = await running();
  const { client } = cluster;
  await client.create(Foo, { metadata: { name: "a" }, spec: { deploymentName: "web", replicas: 2 } });
  const web = await found(cluster, () => client.get(Deployment, "web"));
  expect([web.spec.replicas, web.metadata.ownerReferences?.[0]?.name]).toEqual([2, "a"]);
  await client.patch(
    Deployment,
    "web",
    { merge: { status: { replicas: 2, readyReplicas: 2, availableReplicas: 2 } } },
    { subresource: "status" },
  );
  await cluster.eventually(async () => {
    expect((await client.get(Foo, "a"))?.status).toEqual({ availableReplicas: 2 });
  });
});

test("a change of the Deployment by hand is reverted", async () => {
  await using cluster = await running();
  const { client } = cluster;
  await client.create(Foo, { metadata: { name: "a" }, spec: { deploymentName: "web", replicas: 2 } });
  await found(cluster, () => client.get(Deployment, "web"));
  await client.patch(Deployment, "web", { merge: { spec: { replicas: 7 } } });
  await cluster.eventually(async () => {
    expect((await client.get(Deployment, "web"))?.spec.replicas).toBe(2);
  });
});

test("a Deployment of another owner is unchanged, and an Event reports it", async () => {
  await using cluster = await running();
  const { client } = cluster;
  const labels = { app: "other" };
  await client.create(Deployment, {
    metadata: { name: "web" },
    spec: {
      replicas: 5,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1.29" }] } },
    },
  });
  await client.create(Foo, { metadata: { name: "a" }, spec: { deploymentName: "web", replicas: 2 } });
  const event = await found(cluster, async () =>
    (await client.list(Event)).find(({ reason }) => reason === "ErrResourceExists"),
  );
  expect([event.type, event.note]).toEqual([
    "Warning",
    'Resource "web" already exists and is not managed by Foo',
  ]);
  expect((await client.get(Deployment, "web"))?.spec.replicas).toBe(5);
});

const main = new URL("./main.ts", import.meta.url);

test("with --once the tour is printed line by line, and the program exits", async () => {
  const printed = await outputOf(main, "--once");
  expect(printed[0]).toMatch(
    /^A controller of Foos, on an API server of Kubernetes v1\..* in this process\.$/,
  );
  // The controller's output is interleaved with the tour.
  expect(printed.filter((line) => /^(>| {2})/.test(line))).toEqual(tourLines);
  expect(printed).toContain("event: Normal Synced: Foo synced successfully");
  expect(printed.at(-1)).toBe("controller: stopping");
});

test("the program keeps running for other programs, and exits with 0 on SIGINT", async ({ signal }) => {
  const program = new Started(main);
  const printed = await program.printing("Ctrl-C");
  await using client = await connect({ kubeconfig: /export KUBECONFIG=(.*)/.exec(printed)?.[1] });
  await client.patch(Foo, "example-foo", { merge: { spec: { replicas: 4 } } });
  const holds = ({ spec }: Deployment) => spec.replicas === 4;
  await program.during(until({ client, signal }, Deployment, { name: "web", holds }));
  await program.end("SIGINT");
});

test("with --kubeconfig it runs on the existing cluster", async ({ signal }) => {
  await using cluster = await startCluster({ listen: true, kinds: [Foo] });
  const { client, kubeconfig } = cluster;
  const program = new Started(main, "--kubeconfig", kubeconfig);
  await client.create(Foo, { metadata: { name: "a" }, spec: { deploymentName: "web", replicas: 2 } });
  const holds = ({ status }: Foo) => status !== undefined;
  await program.during(until({ client, signal }, Foo, { name: "a", holds }));
  await program.end("SIGTERM");
});

test("with --once and --kubeconfig it reconciles the Foos of that cluster and exits without a tour", async () => {
  await using cluster = await startCluster({ listen: true, kinds: [Foo] });
  const { client, kubeconfig } = cluster;
  await client.create(Foo, { metadata: { name: "a" }, spec: { deploymentName: "web", replicas: 2 } });
  const printed = await outputOf(main, "--once", "--kubeconfig", kubeconfig);
  expect([(await client.list(Foo)).map(({ status }) => status), printed.at(-1)]).toEqual([
    [{ availableReplicas: 0 }],
    "controller: stopping",
  ]);
});

test("with --crd it prints the CustomResourceDefinition of Foo for kubectl apply", async () => {
  const printed = await outputOf(main, "--crd");
  expect(JSON.parse(printed.join("\n"))).toEqual(Foo.toCustomResourceDefinition());
});
