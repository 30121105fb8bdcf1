import { expect, test } from "vitest";
import { metadataOnly } from "../api/index.ts";
import { Deployment } from "../api/types/apps/v1.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import type { ApplyOptions, Client } from "../client/index.ts";
import { Controlled, type ControlledOptions } from "./controlled.fixture.ts";
import type { ReconcileOptions } from "./controller.ts";
import { type Context, controller, type Trigger, watches } from "./index.ts";
import { UnchangedApplies } from "./unchanged-applies.ts";

const labels = { app: "a" };
/** The server sets the protocol of the port, and writes the quantity as "1". */
const container = {
  name: "web",
  image: "nginx",
  ports: [{ containerPort: 80 }],
  resources: { limits: { cpu: "1000m" } },
};
const template = { metadata: { labels }, spec: { containers: [container] } };
const draft = { metadata: { name: "a", labels }, spec: { selector: { matchLabels: labels }, template } };
const cached: readonly Trigger[] = [watches(Deployment, () => [])];

type Apply = (client: Client, context: Context) => Promise<unknown>;
const applyDraft: Apply = (client) => client.apply(Deployment, draft);

interface Stage extends Pick<ReconcileOptions<ConfigMap>, ControllerOption> {
  readonly apply?: Apply;
  readonly on?: readonly Trigger[];
  readonly world?: ControlledOptions;
}

type ControllerOption = "skipUnchangedApplies" | "everywhere" | "formerFieldManagers" | "timeoutMs";

/** Runs a controller that applies when it starts, and whenever `again` is called. */
async function applying({ apply = applyDraft, on = cached, world: options, ...rest }: Stage = {}) {
  const world = await Controlled.start(options);
  await world.live.create(ConfigMap, { metadata: { name: "trigger" } });
  const reconcile = async (_: unknown, context: Context): Promise<void> => {
    await apply(context.client, context);
  };
  const when = ({ key }: { readonly key: string }): boolean => key === "default/trigger";
  await world.run(controller({ name: "web", for: ConfigMap, when, on, reconcile, ...rest }));
  await world.clock.advance(1_000);
  let count = 0;
  const again = async (): Promise<number> => {
    count += 1;
    await world.live.patch(ConfigMap, "trigger", { merge: { data: { count: `${count}` } } });
    await world.clock.advance(1_000);
    return world.sent.filter((line) => !line.endsWith("/trigger")).length;
  };
  return { world, again, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

const merge = (live: Client, patch: object): Promise<unknown> =>
  live.patch(Deployment, "a", { merge: patch });

test.each<[string, (live: Client) => Promise<unknown>]>([
  ["nothing has changed", async () => {}],
  [
    "another client changed the status",
    (live) => live.patchStatus(Deployment, "a", { replicas: 1, observedGeneration: 1 }),
  ],
  ["another client added a label", (live) => merge(live, { metadata: { labels: { more: "1" } } })],
])("an apply is not sent again if %s", async (_, change) => {
  await using stage = await applying();
  await change(stage.world.live);
  expect(await stage.again()).toBe(1);
});

test.each<[string, (live: Client) => Promise<unknown>]>([
  ["changed an applied label", (live) => merge(live, { metadata: { labels: { app: "b" } } })],
  ["removed an applied label", (live) => merge(live, { metadata: { labels: { app: null } } })],
  ["changed a field that is not applied", (live) => merge(live, { spec: { replicas: 3 } })],
  ["added a container", (live) => live.patch(Deployment, "a", { strategic: withSidecar })],
  [
    "changed the spec and restored it",
    async (live) => {
      await merge(live, { spec: { minReadySeconds: 3 } });
      await merge(live, { spec: { minReadySeconds: null } });
    },
  ],
  ["deleted the object", (live) => live.delete(Deployment, "a")],
  [
    "deleted the object and created it again",
    async (live) => {
      await live.delete(Deployment, "a");
      await live.create(Deployment, draft);
    },
  ],
])("an apply is sent again if another client %s", async (_, change) => {
  await using stage = await applying();
  await change(stage.world.live);
  expect(await stage.again()).toBe(2);
  expect(await stage.again()).toBe(2);
});

const withSidecar = { spec: { template: { spec: { containers: [{ name: "proxy", image: "envoy" }] } } } };

test("an apply that is skipped returns a copy of the cached object", async () => {
  const results: Deployment[] = [];
  await using stage = await applying({
    async apply(client) {
      const result = await client.apply(Deployment, draft);
      results.push(structuredClone(result));
      result.spec.replicas = 9;
    },
  });
  await stage.world.live.patchStatus(Deployment, "a", { replicas: 1 });
  expect([await stage.again(), await stage.again()]).toEqual([1, 1]);
  const { managedFields: _, ...metadata } = (await stage.world.live.get(Deployment, "a"))?.metadata ?? {};
  expect(results.slice(1).map((each) => [each.metadata, each.status, each.spec.replicas])).toEqual([
    [metadata, { replicas: 1 }, 1],
    [metadata, { replicas: 1 }, 1],
  ]);
});

test("an apply is sent again if another client changed an object of a kind without a generation", async () => {
  const data = { key: "1" };
  await using stage = await applying({
    apply: (client) => client.apply(ConfigMap, { metadata: { name: "a" }, data }),
  });
  expect(await stage.again()).toBe(1);
  await stage.world.live.patch(ConfigMap, "a", { merge: { data: { other: "2" } } });
  expect(await stage.again()).toBe(2);
});

test("an apply with an owner is sent again if another client removed the owner", async () => {
  await using stage = await applying({
    async apply(client) {
      const owner = await client.get(ConfigMap, "trigger");
      await client.apply(Deployment, draft, { owner });
    },
  });
  expect(await stage.again()).toBe(1);
  await merge(stage.world.live, { metadata: { ownerReferences: null } });
  expect(await stage.again()).toBe(2);
});

test("a status is applied again only if the status or the generation has changed", async () => {
  await using stage = await applying({
    async apply(client) {
      const deployment = await client.get(Deployment, "a");
      if (deployment) await client.applyStatus(Deployment, "a", { replicas: 2 });
    },
  });
  const { live } = stage.world;
  await live.create(Deployment, draft);
  const first = await stage.again();
  expect([first, await stage.again()]).toEqual([1, 1]);
  await merge(live, { metadata: { labels: { more: "1" } } });
  expect(await stage.again()).toBe(first);
  await live.patchStatus(Deployment, "a", { replicas: 3 });
  expect(await stage.again()).toBe(first + 1);
  await live.patchStatus(Deployment, "a", { readyReplicas: 1 });
  expect(await stage.again()).toBe(first + 2);
  await merge(live, { spec: { replicas: 4 } });
  expect(await stage.again()).toBe(first + 3);
  expect(await stage.again()).toBe(first + 3);
});

test.each<[string, ApplyOptions]>([
  ["dryRun", { dryRun: true }],
  ["takeOver", { takeOver: ["former"] }],
  ["onResponseBody", { onResponseBody: () => {} }],
])("an apply with %s is always sent", async (_, options) => {
  await using stage = await applying({ apply: (client) => client.apply(Deployment, draft, options) });
  const first = await stage.again();
  expect(await stage.again()).toBe(first + 1);
});

test("an apply with a resource version is always sent", async () => {
  await using stage = await applying({
    async apply(client) {
      const { resourceVersion } = await client.apply(Deployment, draft).then(({ metadata }) => metadata);
      const metadata = { ...draft.metadata, resourceVersion };
      await client.apply(Deployment, { ...draft, metadata });
    },
  });
  expect(await stage.again()).toBe(4);
});

test("applies that differ in the draft, in force or in the owner are sent in turn", async () => {
  const other = { ...draft, metadata: { name: "a", labels: { app: "a", tier: "web" } } };
  await using stage = await applying({
    async apply(client) {
      await client.apply(Deployment, draft);
      await client.apply(Deployment, other);
      await client.apply(Deployment, other, { force: false });
    },
  });
  expect(await stage.again()).toBe(6);
  expect((await stage.world.live.get(Deployment, "a"))?.metadata.labels).toEqual(other.metadata.labels);
});

test("applies of several field managers are skipped separately", async () => {
  await using stage = await applying({
    async apply(client) {
      await client.apply(Deployment, draft);
      await client.apply(Deployment, { metadata: { name: "a", labels: { b: "1" } } }, { fieldManager: "b" });
    },
  });
  expect(await stage.again()).toBe(2);
});

test("an apply that failed is not remembered, nor is the one before it", async () => {
  let broken = false;
  await using stage = await applying({
    async apply(client) {
      if (broken)
        await client
          .apply(Deployment, { metadata: { name: "a" }, spec: { replicas: -1 } as never })
          .catch(() => {});
      await client.apply(Deployment, draft);
    },
  });
  expect(await stage.again()).toBe(1);
  broken = true;
  expect(await stage.again()).toBe(3);
});

test("concurrent applies of one object are not remembered", async () => {
  await using stage = await applying({
    apply: (client) => Promise.all([client.apply(Deployment, draft), client.apply(Deployment, draft)]),
  });
  expect(await stage.again()).toBe(4);
});

test("an apply is sent again after ten minutes", async () => {
  await using stage = await applying();
  await stage.world.clock.advance(590_000);
  expect(await stage.again()).toBe(1);
  await stage.world.clock.advance(20_000);
  expect(await stage.again()).toBe(2);
});

const transform = (deployment: Deployment): Deployment => deployment;

test.each<[string, Stage]>([
  ["skipUnchangedApplies is false", { skipUnchangedApplies: false }],
  ["the controller runs everywhere", { everywhere: true }],
  ["the controller has former field managers", { formerFieldManagers: ["former"] }],
  ["the kind is not cached", { on: [] }],
  ["only the metadata is cached", { on: [watches(metadataOnly(Deployment), () => [])] }],
  ["the cache transforms objects", { on: [watches(Deployment, () => [], { view: { transform } })] }],
  [
    "the cache has other namespaces",
    { on: [watches(Deployment, () => [], { view: { namespaces: ["x"] } })] },
  ],
  ["the cache has other objects", { on: [watches(Deployment, () => [], { view: { labels: "app=b" } })] }],
])("every apply is sent if %s", async (_, stageOptions) => {
  await using stage = await applying(stageOptions);
  expect(await stage.again()).toBe(2);
});

test("an apply is sent if a write whose response has no object is not in the cache yet", async () => {
  const faults = [
    { on: { verb: "watch", resource: "deployments.apps" }, fault: { type: "freeze", afterEvents: 2 } },
  ] as const;
  await using stage = await applying({
    world: { faults },
    async apply(client) {
      await client.apply(Deployment, draft);
      await client.subresource(Deployment, "a", "scale").patch({ merge: { spec: { replicas: 7 } } });
      await client.apply(Deployment, draft);
    },
  });
  expect(stage.world.sent.length).toBe(3);
});

test("an apply in a reconcile that was aborted rejects", async () => {
  const outcomes: unknown[] = [];
  let abort = false;
  await using stage = await applying({
    timeoutMs: 100,
    async apply(client, { clock }) {
      if (abort) await new Promise<void>((resolve) => void clock.timer(200, resolve));
      abort = false;
      outcomes.push(
        await client.apply(Deployment, draft).then(
          () => "done",
          (error: Error) => error.name,
        ),
      );
    },
  });
  abort = true;
  await stage.again();
  expect(outcomes.slice(0, 2)).toEqual(["done", "TimeoutError"]);
});

test("the applies of 10,000 objects are remembered", async () => {
  await using stage = await applying();
  const { cache, clock, client } = stage.world.environment;
  const applies = new UnchangedApplies(cache, clock);
  const object = await stage.world.live.get(Deployment, "a");
  if (!object) throw new Error("expected the Deployment, got none");
  let sent = 0;
  const apply = async (name: string): Promise<void> => {
    const key = { namespace: "default", name };
    const requested = { kind: Deployment, key, draft, fieldManager: client.fieldManager, options: {} };
    await applies.apply(requested, async () => {
      sent += 1;
      return object;
    });
  };
  for (const name of ["a", "a", ...Array.from({ length: 9_999 }, (_, index) => `b${index}`), "a"])
    await apply(name);
  expect(sent).toBe(10_000);
  await apply("c");
  await apply("a");
  expect(sent).toBe(10_002);
});
