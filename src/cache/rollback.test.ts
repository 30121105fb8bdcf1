import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { refused, type Scripted, Stream } from "./reflector/scripted-transport.fixture.ts";
import { added, bookmark, error, initialEnd, list, modified } from "./reflector/test-reflector.fixture.ts";
import { Recorder, TestInformers } from "./test-informers.fixture.ts";

/** Returns the event of an object with this content. */
function withContent(type: "ADDED" | "MODIFIED", version: string, content: string): object {
  const { object } = added("a", version);
  return { type, object: { ...object, data: { content } } };
}

/** Returns the objects of a cache, as `name@version content`. */
interface Outcome {
  readonly cache: string[];
  readonly events: string[];
  readonly warnings: string[];
  /** The resource version that each list requested. */
  readonly lists: (string | null)[];
}

/** Returns a cache that has `a@10` at resource version 20, and then receives these events and replies. */
async function after(event: object | undefined, ...replies: readonly Scripted[]): Promise<Outcome> {
  const first = new Stream().lines(withContent("ADDED", "10", "old"), added("ghost", "15"), initialEnd("20"));
  await using world = new TestInformers([first, ...replies]);
  const maps = world.factory.for(ConfigMap);
  const recorder = new Recorder();
  maps.on(recorder.handler);
  await world.start();
  recorder.received();
  first.lines(event ?? error(410, "Expired"));
  await world.clock.advance(60_000);
  const queries = world.transport.paths.map((path) => new URL(path, "http://host").searchParams);
  return {
    cache: maps.lister
      .list()
      .map(({ metadata, data }) =>
        `${metadata.name}@${metadata.resourceVersion} ${data?.content ?? ""}`.trim(),
      ),
    events: recorder.received(),
    warnings: world.logged.filter(({ level }) => level === "warn").map(({ message }) => message),
    lists: queries
      .filter((query) => query.has("sendInitialEvents"))
      .map((query) => query.get("resourceVersion")),
  };
}

/** The list of the restored server, without the object that was created after the backup. */
const restored = () => new Stream().lines(withContent("ADDED", "4", "backup"), initialEnd("5"));

test.each([
  ["an older bookmark", bookmark("19")],
  ["an older event", modified("b", "12")],
  ["an older version of a known object", withContent("MODIFIED", "9", "backup")],
])("%s leads to a warning and a consistent list, which the cache follows", async (_, event) => {
  expect(await after(event, restored())).toEqual({
    cache: ["a@4 backup"],
    events: ["deleted home/ghost@15 missed", "updated home/a@10>4"],
    warnings: ["watch failed", "collection went back to an earlier resource version"],
    lists: ["", ""],
  });
});

test("one resource version with two contents in a watch leads to a warning and a consistent list", async () => {
  const first = new Stream().lines(withContent("ADDED", "20", "old"), initialEnd("20"));
  const second = new Stream().lines(withContent("ADDED", "20", "new"), initialEnd("20"));
  await using world = new TestInformers([first, second]);
  const maps = world.factory.for(ConfigMap);
  await world.start();
  first.lines(withContent("MODIFIED", "20", "new"));
  expect(maps.lister.get("home/a")?.data).toEqual({ content: "old" });
  await world.clock.advance(30_000);
  expect(maps.lister.get("home/a")?.data).toEqual({ content: "new" });
  expect(world.logged.map(({ message }) => message)).toContain("watch failed");
});

test("a repeated resource version with the same content is ignored", async () => {
  const first = new Stream().lines(withContent("ADDED", "20", "same"), initialEnd("20"));
  await using world = new TestInformers([first]);
  const maps = world.factory.for(ConfigMap);
  await world.start();
  first.lines(withContent("MODIFIED", "20", "same"), bookmark("20"), withContent("MODIFIED", "21", "more"));
  expect(maps.lister.get("home/a")?.data).toEqual({ content: "more" });
  expect(world.logged).toEqual([]);
});

test("a list that is older than requested is rejected, and a consistent one is followed", async () => {
  const { cache, lists, warnings } = await after(undefined, restored(), restored());
  expect({ cache, lists, warnings }).toEqual({
    cache: ["a@4 backup"],
    lists: ["", "20", ""],
    warnings: ["watch failed", "collection went back to an earlier resource version"],
  });
});

test.each([
  ["older versions of objects", withContent("ADDED", "9", "backup"), "a@9 backup"],
  ["another content of one version", withContent("ADDED", "10", "other"), "a@10 other"],
])("a newer list with %s is rejected, and a consistent one is followed", async (_, object, expected) => {
  const confused = () => new Stream().lines(object, initialEnd("30"));
  const { cache, lists, warnings } = await after(undefined, confused(), confused());
  expect({ cache, lists, warnings }).toEqual({
    cache: [expected],
    lists: ["", "20", ""],
    warnings: ["watch failed", "list contradicts earlier resource versions"],
  });
});

test("a server that has not reached a version that it has sent leads to a warning and a consistent list", async () => {
  const tooLarge = refused({
    code: 504,
    reason: "Timeout",
    message: "Too large resource version: 20, current: 5",
  });
  const { cache, lists, warnings } = await after(undefined, tooLarge, restored());
  expect({ cache, lists, warnings }).toEqual({
    cache: ["a@4 backup"],
    lists: ["", "20", ""],
    warnings: ["watch failed", "collection went back to an earlier resource version"],
  });
});

test("a paged list that goes back is rejected, too", async () => {
  const noStreams = refused({ code: 400, reason: "BadRequest" });
  const watch = new Stream();
  const old = list("5", [added("a", "4").object]);
  await using world = new TestInformers([noStreams, list("20", [added("a", "10").object]), watch, old, old]);
  const maps = world.factory.for(ConfigMap);
  await world.start();
  watch.lines(bookmark("19"));
  await world.clock.advance(30_000);
  expect(maps.lister.list().map(({ metadata }) => metadata.resourceVersion)).toEqual(["4"]);
  expect(world.transport.paths.filter((path) => path.includes("limit=500"))).toHaveLength(2);
});
