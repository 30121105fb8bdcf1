import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { refused, Stream } from "./reflector/scripted-transport.fixture.ts";
import {
  added,
  bookmark,
  deleted,
  error,
  initialEnd,
  modified,
  object,
} from "./reflector/test-reflector.fixture.ts";
import { Recorder, TestInformers } from "./test-informers.fixture.ts";

const gone = error(410, "Expired");

/** Returns an object with this uid. */
function made(type: string, name: string, [uid, resourceVersion]: readonly [string, string]): object {
  const { metadata, ...rest } = object(name, resourceVersion);
  return { type, object: { ...rest, metadata: { ...metadata, uid } } };
}

test("a handler receives the cached objects, then every change in order", async () => {
  const stream = new Stream().lines(added("a", "3"), added("b", "1"), initialEnd("5"));
  await using world = new TestInformers([stream]);
  const recorder = new Recorder();
  world.factory.for(ConfigMap).on(recorder.handler);
  await world.start();
  expect(recorder.received()).toEqual(["added home/a@3 initial", "added home/b@1 initial"]);
  stream.lines(added("c", "6"), modified("a", "7"), bookmark("8"), modified("a", "9"), deleted("b", "10"));
  expect(recorder.received()).toEqual([
    "added home/c@6",
    "updated home/a@3>7",
    "updated home/a@7>9",
    "deleted home/b@10",
  ]);
});

test("events after the first list in the same chunk are not part of it", async () => {
  const stream = new Stream().lines(added("a", "3"), initialEnd("5"), modified("a", "6"), added("b", "7"));
  await using world = new TestInformers([stream]);
  const recorder = new Recorder();
  world.factory.for(ConfigMap).on(recorder.handler);
  await world.start();
  expect(recorder.received()).toEqual(["added home/a@3 initial", "updated home/a@3>6", "added home/b@7"]);
});

test("the cache changes before handlers are notified", async () => {
  const stream = new Stream().lines(added("a", "1"), added("b", "2"), initialEnd("5"));
  await using world = new TestInformers([stream]);
  const maps = world.factory.for(ConfigMap);
  const read: unknown[] = [];
  maps.on(({ type, key }) => {
    read.push([type, key, maps.lister.get(key)?.metadata.resourceVersion, [...maps.lister.keys()]]);
  });
  await world.start();
  stream.lines(modified("a", "6"));
  stream.lines(deleted("b", "7"));
  expect(read).toEqual([
    ["added", "home/a", "1", ["home/a", "home/b"]],
    ["added", "home/b", "2", ["home/a", "home/b"]],
    ["updated", "home/a", "6", ["home/a", "home/b"]],
    ["deleted", "home/b", undefined, ["home/a"]],
  ]);
});

test("a relist delivers exactly the missed changes, deletes first", async () => {
  const first = new Stream().lines(...["a", "b", "c"].map((name) => added(name, "1")), initialEnd("5"));
  const second = new Stream().lines(added("d", "7"), added("a", "1"), added("b", "8"), initialEnd("9"));
  await using world = new TestInformers([first, second]);
  const recorder = new Recorder();
  const maps = world.factory.for(ConfigMap);
  maps.on(recorder.handler);
  maps.on(({ key }) => {
    if (key === "home/c") read.push([...maps.lister.keys()].sort());
  });
  const read: unknown[] = [];
  await world.start();
  recorder.received();
  first.lines(gone);
  await world.clock.advance(30_000);
  expect(recorder.received()).toEqual(["deleted home/c@1 missed", "added home/d@7", "updated home/b@1>8"]);
  expect(read).toEqual([
    ["home/a", "home/b", "home/c"],
    ["home/a", "home/b", "home/d"],
  ]);
});

test("a re-created object is delivered as deleted and added", async () => {
  const first = new Stream().lines(
    made("ADDED", "a", ["1", "1"]),
    made("ADDED", "b", ["2", "2"]),
    initialEnd("5"),
  );
  const again = [made("ADDED", "a", ["3", "7"]), made("ADDED", "b", ["2", "8"]), initialEnd("9")];
  await using world = new TestInformers([first, new Stream().lines(...again)]);
  const recorder = new Recorder();
  world.factory.for(ConfigMap).on(recorder.handler);
  await world.start();
  recorder.received();
  first.lines(gone);
  await world.clock.advance(30_000);
  expect(recorder.received()).toEqual(["deleted home/a@1 missed", "added home/a@7", "updated home/b@2>8"]);
});

test("the cache decides whether an object is added or updated", async () => {
  const stream = new Stream().lines(added("a", "1"), initialEnd("5"));
  await using world = new TestInformers([stream]);
  const recorder = new Recorder();
  world.factory.for(ConfigMap).on(recorder.handler);
  await world.start();
  recorder.received();
  stream.lines(added("a", "6"), modified("b", "7"), deleted("c", "8"));
  expect(recorder.received()).toEqual(["updated home/a@1>6", "added home/b@7"]);
});

test("a repeated event is ignored", async () => {
  const stream = new Stream().lines(added("a", "4"), added("b", "3"), initialEnd("5"));
  await using world = new TestInformers([stream]);
  const recorder = new Recorder();
  const maps = world.factory.for(ConfigMap);
  maps.on(recorder.handler);
  await world.start();
  stream.lines(modified("a", "6"), deleted("b", "7"));
  recorder.received();
  stream.lines(modified("a", "8"), modified("a", "8")).lines(modified("a", "8"));
  expect(recorder.received()).toEqual(["updated home/a@6>8"]);
  expect(maps.lister.list().map(({ metadata }) => metadata.resourceVersion)).toEqual(["8"]);
});

test("resource versions that are not numbers are accepted in order of arrival", async () => {
  const stream = new Stream().lines(added("a", "x9"), initialEnd("x9"));
  await using world = new TestInformers([stream]);
  const recorder = new Recorder();
  world.factory.for(ConfigMap).on(recorder.handler);
  await world.start();
  stream.lines(modified("a", "x1"), added("b", "x0"), deleted("a", "x0"));
  expect(recorder.received()).toEqual([
    "added home/a@x9 initial",
    "updated home/a@x9>x1",
    "added home/b@x0",
    "deleted home/a@x0",
  ]);
});

test("the cache and all events have transformed objects", async () => {
  const stream = new Stream().lines(added("a", "1"), initialEnd("5"));
  await using world = new TestInformers([stream]);
  const maps = world.factory.for(ConfigMap, {
    transform: (map) => ({ ...map, data: { was: `${map.metadata.resourceVersion}` } }),
  });
  const seen: unknown[] = [];
  maps.on((event) => {
    seen.push([event.type, event.object.data, event.type === "updated" ? event.previous.data : undefined]);
  });
  await world.start();
  stream.lines(modified("a", "6"));
  expect(maps.lister.get("home/a")?.data).toEqual({ was: "6" });
  stream.lines(deleted("a", "7"));
  expect(seen).toEqual([
    ["added", { was: "1" }, undefined],
    ["updated", { was: "6" }, { was: "1" }],
    ["deleted", { was: "7" }, undefined],
  ]);
});

test("a transform is applied once to each version, and missed deletes have the transformed object", async () => {
  const first = new Stream().lines(added("a", "1"), added("b", "2"), initialEnd("5"));
  const second = new Stream().lines(added("b", "2"), initialEnd("9"));
  await using world = new TestInformers([first, second]);
  const transformed: string[] = [];
  const maps = world.factory.for(ConfigMap, {
    transform(map) {
      transformed.push(`${map.metadata.name}@${map.metadata.resourceVersion}`);
      return { ...map, data: { kept: "yes" } };
    },
  });
  const vanished: unknown[] = [];
  maps.on(({ type, object: map }) => {
    if (type === "deleted") vanished.push(map.data);
  });
  await world.start();
  first.lines(modified("a", "6"), gone);
  await world.clock.advance(30_000);
  expect(transformed).toEqual(["a@1", "b@2", "a@6", "b@2"]);
  expect(vanished).toEqual([{ kept: "yes" }]);
});

test("an index has cached and later objects, whenever it is added", async () => {
  const stream = new Stream().lines(added("a", "1"), initialEnd("5"));
  await using world = new TestInformers([stream]);
  const maps = world.factory.for(ConfigMap);
  const byVersion = (map: ConfigMap): string[] => [map.metadata.resourceVersion];
  maps.index("version", byVersion);
  await world.start();
  maps.index("name", (map) => [map.metadata.name]);
  stream.lines(added("b", "6"));
  expect(maps.lister.by("version", "1").map(({ metadata }) => metadata.name)).toEqual(["a"]);
  expect(["a", "b"].map((name) => maps.lister.by("name", name).length)).toEqual([1, 1]);
  world.factory.for(ConfigMap).index("version", byVersion);
  expect(() => maps.index("version", () => [])).toThrow('index "version" already exists');
});

test("index functions run while a list arrives, once for each version, and not when it is applied", async () => {
  const stream = new Stream().lines(added("a", "1"));
  await using world = new TestInformers([stream]);
  const maps = world.factory.for(ConfigMap);
  const requests: string[] = [];
  maps.index("name", ({ metadata: { name, resourceVersion } }) => {
    requests.push(`${name}@${resourceVersion}`);
    return [name];
  });
  await world.start();
  expect(requests).toEqual(["a@1"]);
  stream.lines(added("b", "2"), initialEnd("5"), modified("a", "6"));
  expect(requests).toEqual(["a@1", "b@2", "a@6"]);
  expect(["a", "b"].map((name) => maps.lister.by("name", name).length)).toEqual([1, 1]);
});

test("an own write is read from the overlay until a list, event or bookmark is past it", async () => {
  const stream = new Stream().lines(initialEnd("5"));
  await using world = new TestInformers([stream]);
  const { overlay, lister } = world.factory.for(ConfigMap);
  await world.start();
  const read: unknown[] = [];
  const write = (version: string): void => overlay.recordWrite(object("a", version) as ConfigMap);
  const look = (): void => void read.push(overlay.get("home/a")?.metadata.resourceVersion);
  const then = (...lines: readonly object[]): void => {
    look();
    stream.lines(...lines);
    look();
  };
  write("5");
  look();
  write("7");
  then(added("b", "6"));
  then(bookmark("7"));
  write("9");
  then(deleted("b", "10"));
  write("12");
  then(added("a", "12"), modified("a", "13"));
  expect(read).toEqual([undefined, "7", "7", "7", undefined, "9", undefined, "12", "13"]);
  expect(lister.list()).toHaveLength(1);
});

test.each([
  ["an object that is new", added("b", "7")],
  ["one that changed", modified("c", "7")],
  ["one that is gone", deleted("c", "7")],
  ["one that cannot be read", { type: "MODIFIED", object: { ...object("c", "7"), kind: "Pod" } }],
  ["a bookmark", bookmark("7")],
])("the cache is current up to the version of %s", async (_, line) => {
  const stream = new Stream().lines(added("c", "1"), initialEnd("5"));
  await using world = new TestInformers([stream]);
  const { overlay } = world.factory.for(ConfigMap);
  await world.start();
  overlay.recordWrite(object("a", "7") as ConfigMap);
  stream.lines(bookmark("6"));
  expect(overlay.get("home/a")?.metadata.resourceVersion).toBe("7");
  stream.lines(line);
  expect(overlay.get("home/a")).toBeUndefined();
});

test("a cache of several namespaces has the oldest of their resource versions", async () => {
  await using world = new TestInformers(
    [new Stream().lines(initialEnd("9")), new Stream().lines(initialEnd("5"))],
    {
      namespaces: ["a", "home"],
    },
  );
  const { overlay } = world.factory.for(ConfigMap);
  await world.start();
  overlay.recordWrite(object("x", "7") as ConfigMap);
  expect(overlay.get("home/x")?.metadata.resourceVersion).toBe("7");
  world.transport.streams[1]?.lines(bookmark("7"));
  expect(overlay.get("home/x")).toBeUndefined();
});

test("after a restore of etcd, older lists and events are accepted", async () => {
  const first = new Stream().lines(added("a", "900"), initialEnd("1000"));
  const unknown = refused({
    code: 504,
    reason: "Timeout",
    details: { causes: [{ reason: "ResourceVersionTooLarge" }] },
  });
  const restored = new Stream().lines(added("a", "4"), initialEnd("5"), added("b", "6"));
  await using world = new TestInformers([first, unknown, restored]);
  const recorder = new Recorder();
  world.factory.for(ConfigMap).on(recorder.handler);
  await world.start();
  first.lines(gone);
  await world.clock.advance(60_000);
  expect(recorder.received()).toEqual(["added home/a@900 initial", "updated home/a@900>4", "added home/b@6"]);
});

test("several namespaces share one cache, and each list replaces only its own namespace", async () => {
  const inNamespace = (namespace: string, name: string, resourceVersion: string) => ({
    type: "ADDED",
    object: { ...object(name, resourceVersion), metadata: { name, namespace, resourceVersion } },
  });
  const here = new Stream().lines(inNamespace("here", "a", "1"), initialEnd("5"));
  const there = new Stream().lines(inNamespace("there", "a", "2"), initialEnd("6"));
  await using world = new TestInformers([here, there], { namespaces: ["there", "here", "there"] });
  const recorder = new Recorder();
  const maps = world.factory.for(ConfigMap);
  maps.on(recorder.handler);
  await world.start();
  expect(world.transport.paths.map((path) => path.split("?")[0])).toEqual([
    "/api/v1/namespaces/here/configmaps",
    "/api/v1/namespaces/there/configmaps",
  ]);
  expect(recorder.received()).toEqual(["added here/a@1 initial", "added there/a@2 initial"]);
  await maps.synced;
  world.transport.prepare(new Stream().lines(initialEnd("9")));
  here.lines(gone);
  await world.clock.advance(30_000);
  expect(recorder.received()).toEqual(["deleted here/a@1 missed"]);
  expect([...maps.lister.keys()]).toEqual(["there/a"]);
});
