import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import type { View } from "./index.ts";
import { Stream } from "./reflector/scripted-transport.fixture.ts";
import { added, deleted, error, initialEnd, modified, object } from "./reflector/test-reflector.fixture.ts";
import { Recorder, TestInformers } from "./test-informers.fixture.ts";

/** Throws for objects called `bad` with an odd version. */
const view: View<ConfigMap> = {
  transform(map) {
    const { name, resourceVersion } = map.metadata;
    if (name === "bad" && Number(resourceVersion) % 2 === 1) throw new Error(`no ${resourceVersion}`);
    return map;
  },
};

interface Poisoned extends AsyncDisposable {
  readonly world: TestInformers;
  readonly recorder: Recorder;
  /** Returns the undecodable objects, and the cached ones. */
  state(): { readonly aside: object; readonly copy: object };
}

async function poisoned(...streams: readonly Stream[]): Promise<Poisoned> {
  const world = new TestInformers(streams);
  const maps = world.factory.for(ConfigMap, view);
  const recorder = new Recorder();
  maps.on(recorder.handler);
  await world.start();
  await maps.synced;
  return {
    world,
    recorder,
    state: () => ({
      aside: Object.fromEntries(Array.from(maps.undecodable, ([key, { message }]) => [key, message])),
      copy: Object.fromEntries(
        maps.lister.list().map(({ metadata }) => [metadata.name, metadata.resourceVersion]),
      ),
    }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

const good = [added("good", "2")];

test("an undecodable object is reported, and handlers are notified of the others", async () => {
  const stream = new Stream().lines(added("bad", "1"), ...good, initialEnd("5"));
  await using given = await poisoned(stream);
  expect(given.state()).toEqual({ aside: { "home/bad": "no 1" }, copy: { good: "2" } });
  expect(given.recorder.received()).toEqual(["added home/good@2 initial"]);
  expect(given.world.logged.map(({ level, message, fields }) => [level, message, fields.key])).toEqual([
    ["error", "object undecodable", "home/bad"],
  ]);
  stream.lines(modified("good", "6"));
  expect(given.recorder.received()).toEqual(["updated home/good@2>6"]);
});

test("the last decodable version stays until another one arrives", async () => {
  const stream = new Stream().lines(added("bad", "4"), initialEnd("5"));
  await using given = await poisoned(stream);
  stream.lines(modified("bad", "7"));
  expect(given.state()).toEqual({ aside: { "home/bad": "no 7" }, copy: { bad: "4" } });
  stream.lines(modified("bad", "8"));
  expect(given.state()).toEqual({ aside: {}, copy: { bad: "8" } });
  expect(given.recorder.received()).toEqual(["added home/bad@4 initial", "updated home/bad@4>8"]);
});

test("the delete of an undecodable object is delivered with the last decodable version", async () => {
  const stream = new Stream().lines(added("bad", "4"), initialEnd("5"));
  await using given = await poisoned(stream);
  stream.lines(modified("bad", "7"));
  stream.lines(deleted("bad", "9"));
  expect(given.state()).toEqual({ aside: {}, copy: {} });
  expect(given.recorder.received()).toEqual(["added home/bad@4 initial", "deleted home/bad@4 missed"]);
});

test("a relist that contains an undecodable object does not delete it", async () => {
  const first = new Stream().lines(added("bad", "4"), initialEnd("5"));
  const second = new Stream().lines(added("bad", "7"), initialEnd("8"));
  await using given = await poisoned(first, second);
  first.lines(error(410, "Expired"));
  await given.world.clock.advance(30_000);
  expect(given.state()).toEqual({ aside: { "home/bad": "no 7" }, copy: { bad: "4" } });
  expect(given.recorder.received()).toEqual(["added home/bad@4 initial"]);
});

test("a relist without an undecodable object deletes it", async () => {
  const first = new Stream().lines(added("bad", "4"), initialEnd("5"));
  await using given = await poisoned(first, new Stream().lines(initialEnd("9")));
  first.lines(modified("bad", "7"), error(410, "Expired"));
  await given.world.clock.advance(30_000);
  expect(given.state()).toEqual({ aside: {}, copy: {} });
  expect(given.recorder.received()).toEqual(["added home/bad@4 initial", "deleted home/bad@4 missed"]);
});

test("an undecodable object advances the resource version of the cache", async () => {
  const stream = new Stream().lines(initialEnd("5"));
  await using given = await poisoned(stream);
  const { overlay } = given.world.factory.for(ConfigMap, view);
  overlay.recordWrite(object("written", "6") as ConfigMap);
  expect(overlay.get("home/written")?.metadata.resourceVersion).toBe("6");
  stream.lines(added("bad", "7"));
  expect(overlay.get("home/written")).toBeUndefined();
});
