import { describe, expect, test } from "vitest";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { FactorySyncError } from "./index.ts";
import { refused, Stream } from "./reflector/scripted-transport.fixture.ts";
import { added, initialEnd, object } from "./reflector/test-reflector.fixture.ts";
import { Recorder, stateOf, TestInformers } from "./test-informers.fixture.ts";

const filled = (): Stream => new Stream().lines(added("a", "3"), added("b", "1"), initialEnd("5"));

describe("run", () => {
  test("runs one informer without the others of its factory, until its signal aborts", async () => {
    await using world = new TestInformers([filled()]);
    const maps = world.factory.for(ConfigMap);
    const secrets = world.factory.for(Secret);
    const recorder = new Recorder();
    const handler = maps.on(recorder.handler);
    const running = maps.run(world.ended);
    expect([maps.hasSynced, handler.hasSynced]).toEqual([false, false]);
    await world.settle();
    expect([maps.hasSynced, handler.hasSynced, secrets.health.phase]).toEqual([true, true, "empty"]);
    expect(recorder.received()).toEqual(["added home/a@3 initial", "added home/b@1 initial"]);
    expect(await stateOf(running)).toBe("pending");
    world.ended.abort(new Error("stopped"));
    await running;
    expect([maps.health.phase, world.transport.streams.map(({ closed }) => closed)]).toEqual([
      "closed",
      [true],
    ]);
  });

  test("of an informer that was started ends with its own signal, and the informer continues", async () => {
    await using world = new TestInformers([filled()]);
    const maps = world.factory.for(ConfigMap);
    await world.start();
    const own = new AbortController();
    const running = maps.run(own);
    expect(await stateOf(running)).toBe("pending");
    own.abort(new Error("enough"));
    await running;
    expect(maps.health.phase).toBe("watching");
    const other = maps.run(new AbortController());
    world.ended.abort(new Error("stopped"));
    await other;
    expect(maps.health.phase).toBe("closed");
  });

  test("ends when the informer is closed, and a closed or ended informer cannot run", async () => {
    await using world = new TestInformers([filled()]);
    const [maps, same] = [world.factory.for(ConfigMap), world.factory.for(ConfigMap)];
    const running = maps.run(world.ended);
    await maps.close();
    expect(await stateOf(running)).toBe("pending");
    await expect(maps.run(world.ended)).rejects.toThrow("informer already closed");
    world.ended.abort(new Error("stopped"));
    await running;
    await expect(same.run(world.ended)).rejects.toThrow("informer of v1 ConfigMap already ended");
  });
});

test("indexer is the store of the informer: its reads, index keys and values", async () => {
  await using world = new TestInformers([filled()]);
  const maps = world.factory.for(ConfigMap);
  maps.index("name", ({ metadata }) => [metadata.name]);
  await world.start();
  const { indexer } = maps;
  expect([indexer.size, indexer.indexKeys("name", "a"), indexer.indexValues("name")]).toEqual([
    2,
    ["home/a"],
    ["a", "b"],
  ]);
  expect(indexer.by("name", "a")).toEqual([object("a", "3")]);
  expect(indexer.indexValues("namespace")).toEqual(["home"]);
  expect(() => indexer.indexValues("node")).toThrow(
    'expected the name of an index (namespace, name), got "node"',
  );
});

test("synced of a factory rejects with the kinds that have synced, and those that have not", async () => {
  const refusal = refused({ code: 403, reason: "Forbidden", message: "no" });
  await using world = new TestInformers([filled(), ...Array.from({ length: 50 }, () => refusal)]);
  world.factory.for(ConfigMap);
  world.factory.for(Secret);
  await world.start();
  await world.clock.advance(10_000);
  const error = await stateOf(world.factory.synced);
  expect(error).toBeInstanceOf(FactorySyncError);
  expect(error).toMatchObject({
    synced: [ConfigMap],
    unsynced: [Secret],
    message: expect.stringMatching(
      /^expected v1 Secret to be listed within 10000 ms, .*; not synced: v1 Secret; synced: v1 ConfigMap$/,
    ),
    cause: { name: "SyncError", kind: Secret },
  });
});
