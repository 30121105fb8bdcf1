import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { Stream } from "./reflector/scripted-transport.fixture.ts";
import { added, deleted, error, initialEnd, object } from "./reflector/test-reflector.fixture.ts";
import { Recorder, TestInformers } from "./test-informers.fixture.ts";

/** Returns an event of a ConfigMap that passes the filter or does not. */
function map(type: string, name: string, [resourceVersion, chosen]: readonly [string, boolean]): object {
  return { type, object: { ...object(name, resourceVersion), data: { chosen: String(chosen) } } };
}

const chosen = ({ data }: ConfigMap): boolean => data?.chosen === "true";

test("a handler with a filter receives only objects that pass, as adds, updates and deletes", async () => {
  const stream = new Stream().lines(
    map("ADDED", "a", ["1", true]),
    map("ADDED", "b", ["2", false]),
    initialEnd("5"),
  );
  await using world = new TestInformers([stream]);
  const recorder = new Recorder();
  const { synced } = world.factory.for(ConfigMap).on(recorder.handler, { filter: chosen });
  await world.start();
  await synced;
  expect(recorder.received()).toEqual(["added home/a@1 initial"]);
  stream.lines(map("MODIFIED", "a", ["6", true]), map("MODIFIED", "b", ["7", false]));
  expect(recorder.received()).toEqual(["updated home/a@1>6"]);
  stream.lines(map("MODIFIED", "a", ["8", false]), map("MODIFIED", "b", ["9", true]));
  expect(recorder.received()).toEqual(["deleted home/a@6", "added home/b@9"]);
  stream.lines(map("DELETED", "a", ["10", false]), map("DELETED", "b", ["11", false]));
  expect(recorder.received()).toEqual(["deleted home/b@11"]);
});

test("missed deletes are delivered, too", async () => {
  const stream = new Stream().lines(
    map("ADDED", "a", ["1", true]),
    map("ADDED", "b", ["2", false]),
    initialEnd("5"),
  );
  await using world = new TestInformers([stream, new Stream().lines(initialEnd("9"))]);
  const recorder = new Recorder();
  world.factory.for(ConfigMap).on(recorder.handler, { filter: chosen });
  await world.start();
  stream.lines(error(410, "Expired"));
  await world.clock.advance(30_000);
  expect(recorder.received()).toEqual(["added home/a@1 initial", "deleted home/a@1 missed"]);
});

test("a resync evaluates a filter again that depends on more than the object", async () => {
  await using world = new TestInformers([
    new Stream().lines(added("a", "1"), added("b", "1"), initialEnd("5")),
  ]);
  const wanted = new Set(["a"]);
  const recorder = new Recorder();
  const filter = ({ metadata }: ConfigMap): boolean => wanted.has(metadata.name);
  world.factory.for(ConfigMap).on(recorder.handler, { filter, resyncMs: 1000 });
  await world.start();
  wanted.delete("a");
  wanted.add("b");
  await world.clock.advance(1000);
  expect(recorder.received()).toEqual(["added home/a@1 initial", "deleted home/a@1", "added home/b@1"]);
  await world.clock.advance(1000);
  expect(recorder.received()).toEqual(["updated home/b@1>1 resync"]);
});

test("a filter that throws is reported, and delivered objects stay until they are deleted", async () => {
  const stream = new Stream().lines(added("a", "1"), initialEnd("5"));
  await using world = new TestInformers([stream]);
  const recorder = new Recorder();
  world.factory.for(ConfigMap).on(recorder.handler, {
    filter: ({ metadata }) => {
      if (metadata.resourceVersion !== "1") throw new Error("no");
      return true;
    },
  });
  await world.start();
  stream.lines(map("MODIFIED", "a", ["6", true]));
  expect(world.logged.map(({ message, fields }) => [message, fields.key])).toEqual([
    ["handler failed", "home/a"],
  ]);
  stream.lines(deleted("a", "7"));
  expect(recorder.received()).toEqual(["added home/a@1 initial", "deleted home/a@7"]);
});
