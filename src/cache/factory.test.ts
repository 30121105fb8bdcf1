import { expect, test } from "vitest";
import { metadataOnly } from "../api/index.ts";
import { ConfigMap, Namespace, Secret } from "../api/types/core/v1.ts";
import { prometheus, settled, silentLogger } from "../base/index.ts";
import { connect } from "../client/index.ts";
import { startCluster } from "../testing/index.ts";
import type { ApiRequest, Transport } from "../transport/index.ts";
import { informers } from "./index.ts";
import { Stream } from "./reflector/scripted-transport.fixture.ts";
import { added, initialEnd, modified } from "./reflector/test-reflector.fixture.ts";
import { Recorder, stateOf, TestInformers } from "./test-informers.fixture.ts";

const filled = (): Stream => new Stream().lines(added("a", "1"), initialEnd("5"));
const requests = ({ transport }: TestInformers): string[] =>
  transport.paths.map((path) => path.split("&watch")[0] ?? "");

test("the same kind and view share an informer", async () => {
  await using world = new TestInformers([filled()]);
  const one = world.factory.for(ConfigMap, { labels: { b: "2", a: "1" }, namespaces: ["y", "x"] });
  const other = world.factory.for(ConfigMap, {
    namespaces: ["x", "y", "x"],
    labels: { a: "1", b: "2" },
    resyncMs: 9,
  });
  expect(other.lister).toBe(one.lister);
});

test("another kind, selector, namespace, transform or metadata-only kind is another informer", async () => {
  await using world = new TestInformers();
  const { factory } = world;
  const listers = [
    factory.for(ConfigMap),
    factory.for(metadataOnly(ConfigMap)),
    factory.for(Secret),
    factory.for(ConfigMap, { labels: "a=1" }),
    factory.for(ConfigMap, { fields: "a=1" }),
    factory.for(ConfigMap, { namespaces: ["a"] }),
    factory.for(ConfigMap, { managedFields: true }),
    factory.for(ConfigMap, { transform: (map) => map }),
    factory.for(ConfigMap, { transform: (map) => map }),
  ].map(({ lister }) => lister);
  expect(new Set<unknown>(listers).size).toBe(listers.length);
});

test("each informer has a unique name in logs", async () => {
  await using world = new TestInformers();
  const views = [{}, { transform: (map: ConfigMap) => map }, { labels: { a: "1" }, namespaces: ["x", "y"] }];
  for (const view of views) {
    world.factory.for(ConfigMap, view).on(() => {
      throw new Error("no");
    });
  }
  world.transport.prepare(filled(), filled(), filled());
  await world.start();
  expect(world.logged.map(({ fields }) => fields.informer)).toEqual([
    "v1 ConfigMap",
    "v1 ConfigMap #2",
    "v1 ConfigMap in x, y with labels a=1",
  ]);
});

test("the name of a factory is the prefix of its informers' names, in logs and metrics", async () => {
  const metrics = prometheus();
  await using world = new TestInformers([filled()], { name: "east", metrics });
  world.factory.for(ConfigMap).on(() => {
    throw new Error("no");
  });
  await world.start();
  expect(world.logged.map(({ fields }) => fields.informer)).toEqual(["east v1 ConfigMap"]);
  expect(await metrics.text()).toContain('informer_objects{name="east v1 ConfigMap",group="",version="v1"');
});

test("the name of an ended informer is reused", async () => {
  await using world = new TestInformers([filled(), filled(), filled()]);
  const failing = (): void => {
    world.factory.for(ConfigMap).on(() => {
      throw new Error("no");
    });
  };
  for (let time = 0; time < 3; time++) {
    const ended = new AbortController();
    failing();
    world.factory.start({ signal: ended.signal });
    await world.settle();
    ended.abort(new Error("over"));
    await world.settle();
  }
  expect(world.logged.map(({ fields }) => fields.informer)).toEqual([
    "v1 ConfigMap",
    "v1 ConfigMap",
    "v1 ConfigMap",
  ]);
});

test("a view overrides the defaults of the factory", async () => {
  await using world = new TestInformers([], { namespaces: ["here"], labels: { app: "web" } });
  world.factory.for(ConfigMap);
  world.factory.for(ConfigMap, {
    labels: "tier in (a, b)",
    fields: { "metadata.name": "x" },
    namespaces: undefined,
  });
  world.factory.for(Namespace);
  await world.start();
  expect(requests(world).map((path) => decodeURIComponent(path.split("&resourceVersion")[0] ?? ""))).toEqual([
    "/api/v1/namespaces/here/configmaps?labelSelector=app=web",
    "/api/v1/namespaces/here/configmaps?labelSelector=tier in (a, b)&fieldSelector=metadata.name=x",
    "/api/v1/namespaces?labelSelector=app=web",
  ]);
});

test("start starts informers that are not started, and may be called again", async () => {
  await using world = new TestInformers([filled(), filled()]);
  const maps = world.factory.for(ConfigMap);
  await world.start();
  await world.start();
  expect(world.transport.paths).toHaveLength(1);
  const secrets = world.factory.for(Secret);
  expect(await stateOf(world.factory.synced)).toBe("resolved");
  expect([await stateOf(maps.synced), await stateOf(secrets.synced)]).toEqual(["resolved", "pending"]);
  await world.start();
  expect(world.transport.paths).toHaveLength(2);
});

test("synced resolves if no informer is started", async () => {
  await using world = new TestInformers();
  world.factory.for(ConfigMap);
  expect(await stateOf(world.factory.synced)).toBe("resolved");
});

test("synced resolves when every cache is synced and every handler has received its objects", async () => {
  const late = new Stream().lines(added("a", "1"));
  await using world = new TestInformers([filled(), late]);
  const told: string[] = [];
  world.factory.for(ConfigMap).on(({ key }) => void told.push(key));
  world.factory.for(Secret);
  await world.start();
  expect(await stateOf(world.factory.synced)).toBe("pending");
  late.lines(initialEnd("6"));
  await world.factory.synced;
  expect(told).toEqual(["home/a"]);
});

test("closing a handle closes its handlers, and closing the last one ends the informer", async () => {
  const stream = filled();
  await using world = new TestInformers([stream, filled()]);
  const one = world.factory.for(ConfigMap);
  const other = world.factory.for(ConfigMap);
  const recorders = [new Recorder(), new Recorder()] as const;
  one.on(recorders[0].handler);
  other.on(recorders[1].handler);
  await world.start();
  await one.close();
  await one.close();
  expect(() => one.on(() => {})).toThrow("informer already closed");
  stream.lines(modified("a", "6"));
  expect(recorders.map((recorder) => recorder.received())).toEqual([
    ["added home/a@1 initial"],
    ["added home/a@1 initial", "updated home/a@1>6"],
  ]);
  await other.close();
  expect(stream.closed).toBe(true);
  const again = world.factory.for(ConfigMap);
  expect(again.lister).not.toBe(one.lister);
  await world.start();
  expect(again.lister.get("home/a")?.metadata.resourceVersion).toBe("1");
});

test("informers end with the signal of their start, and new ones can be created afterwards", async () => {
  const stream = filled();
  await using world = new TestInformers([stream, filled()]);
  const maps = world.factory.for(ConfigMap);
  const ended = new AbortController();
  world.factory.start({ signal: ended.signal });
  await maps.synced;
  ended.abort(new Error("over"));
  await settled();
  expect([stream.closed, maps.health.phase]).toEqual([true, "closed"]);
  const again = world.factory.for(ConfigMap);
  await world.start();
  await again.synced;
  await maps.close();
  expect(world.factory.for(ConfigMap).lister).toBe(again.lister);
});

test("closing a factory ends its informers, and it creates no others", async () => {
  const stream = filled();
  await using world = new TestInformers([stream]);
  world.factory.for(ConfigMap).on(() => {}, { resyncMs: 1000 });
  world.factory.for(Secret);
  await world.start();
  await world.factory.close();
  await world.factory.close();
  expect([stream.closed, world.clock.timers]).toEqual([true, 0]);
  expect(() => world.factory.for(ConfigMap)).toThrow("informer factory already closed");
  expect(() => world.factory.start({ signal: world.ended.signal })).toThrow(
    "informer factory already closed",
  );
});

test("caches and handlers follow a server", async () => {
  await using cluster = await startCluster();
  const { client } = cluster;
  await client.create(ConfigMap, { metadata: { name: "there" } });
  await using factory = informers({ client, log: silentLogger });
  const maps = factory.for(ConfigMap);
  const names = factory.for(metadataOnly(ConfigMap));
  const recorder = { told: [] as string[] };
  const over = new Promise<void>((resolve) => {
    maps.on(({ type, key }) => {
      recorder.told.push(`${type} ${key}`);
      if (type === "deleted") resolve();
    });
  });
  const ended = new AbortController();
  factory.start({ signal: ended.signal });
  await factory.synced;
  expect(names.lister.get("default/there")).toMatchObject({
    kind: "PartialObjectMetadata",
    metadata: { name: "there" },
  });
  await client.create(ConfigMap, { metadata: { name: "new" } });
  await client.delete(ConfigMap, "new");
  await over;
  expect(recorder.told).toEqual(["added default/there", "added default/new", "deleted default/new"]);
});

test("a paged list is requested with gzip", async () => {
  await using cluster = await startCluster({ listen: true });
  const data = { text: "menu ".repeat(2000) };
  const names = Array.from({ length: 40 }, (_, index) => `long-${index}`);
  await Promise.all(names.map((name) => cluster.client.create(ConfigMap, { metadata: { name }, data })));
  await using client = await connect({ kubeconfig: cluster.kubeconfig, http: { gzip: true } });
  const lists: ApiRequest[] = [];
  await using factory = informers({ client: client.through(withoutStreamedLists(lists)), log: silentLogger });
  const maps = factory.for(ConfigMap, { namespaces: ["default"] });
  const ended = new AbortController();
  factory.start({ signal: ended.signal });
  await factory.synced;
  const listed = await cluster.client.list(ConfigMap, { namespace: "default" });
  expect(maps.lister.list().toSorted(byName)).toEqual(listed.toSorted(byName));
  expect(lists.map(({ compressible }) => compressible)).toEqual([true]);
});

/** Refuses every streaming list, so that a reflector requests pages, and records the pages in `lists`. */
function withoutStreamedLists(lists: ApiRequest[]): (transport: Transport) => Transport {
  return (transport) => ({
    server: transport.server,
    send: (request) => transport.send(request),
    open(request) {
      if (!request.path.includes("watch=true")) lists.push(request);
      const path = request.path.replace("resourceVersionMatch=NotOlderThan", "resourceVersionMatch=Unknown");
      return transport.open({ ...request, path });
    },
    close: () => transport.close(),
  });
}

function byName(one: ConfigMap, other: ConfigMap): number {
  return one.metadata.name.localeCompare(other.metadata.name);
}
