import fc from "fast-check";
import { expect, test } from "vitest";
import type { Kind, KubeObject } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { maxDepth } from "../transport/index.ts";
import type { Informer } from "./index.ts";
import { Entry } from "./objects/entry.ts";
import { type DecodeFailure, EntryReader } from "./objects/entry-reader.ts";
import { hostileObjects, Thing } from "./objects/objects.fixture.ts";
import { Store } from "./objects/store.ts";
import { Stream } from "./reflector/scripted-transport.fixture.ts";
import { added, error, initialEnd, modified } from "./reflector/test-reflector.fixture.ts";
import { Recorder, TestInformers } from "./test-informers.fixture.ts";

/** Reads every object of the store in every way. */
function readAll(store: Store<KubeObject>): unknown {
  return [...store.entries()].map((entry) => [
    store.get(entry.key),
    store.view(entry.key),
    entry.metadata(),
    entry.labels(),
    entry.generation,
    entry.fields()?.map((field) => entry.field(field)),
  ]);
}

/** Replaces, removes or adds one byte. */
const corruption: fc.Arbitrary<Corruption> = fc.record({
  place: fc.nat(),
  byte: fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(...Buffer.from('"\\{}[],:0-.eutfn \n'))),
  length: fc.nat({ max: 2 }),
});

interface Corruption {
  readonly place: number;
  readonly byte: number;
  readonly length: number;
}

function corrupted(bytes: Buffer, { place, byte, length }: Corruption): Buffer {
  const at = place % bytes.length;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at + length)]);
}

/** A store, and a reader that puts decodable objects into it. */
class ReaderAndStore {
  readonly store = new Store<KubeObject>();
  readonly #reader = new EntryReader<KubeObject>({
    kind: Thing as Kind,
    slab: this.store.slab,
    stored: this.store.entry.bind(this.store),
  });

  event(line: Buffer): void {
    const frame = this.#reader.frame(line, 0, line.length);
    this.#keep("entry" in frame ? frame.entry : undefined);
  }

  item(json: Buffer): void {
    this.#keep(this.#reader.item(Buffer.concat([json, Buffer.from(",")]), 0).entry);
  }

  #keep(entry: Entry | DecodeFailure | undefined): void {
    if (entry instanceof Entry) this.store.put(entry);
  }
}

test("after any corrupt byte in any object, every stored object can be read in every way", () => {
  fc.assert(
    fc.property(hostileObjects, fc.array(corruption, { maxLength: 6 }), (object, corruptions) => {
      const keeper = new ReaderAndStore();
      const event = Buffer.from(JSON.stringify({ type: "ADDED", object }));
      const item = Buffer.from(JSON.stringify(object));
      keeper.event(event);
      for (const each of corruptions) {
        keeper.event(corrupted(event, each));
        keeper.item(corrupted(item, each));
      }
      expect(() => readAll(keeper.store)).not.toThrow();
    }),
    { numRuns: 500 },
  );
});

interface Corrupting extends AsyncDisposable {
  readonly maps: Informer<ConfigMap>;
  readonly recorder: Recorder;
  readonly world: TestInformers;
}

async function corrupting(...streams: readonly Stream[]): Promise<Corrupting> {
  const world = new TestInformers(streams);
  const maps = world.factory.for(ConfigMap);
  const recorder = new Recorder();
  maps.on(recorder.handler);
  await world.start();
  return { maps, recorder, world, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

/** Returns an event whose object has this JSON value after its metadata. */
function lineWith(type: "ADDED" | "MODIFIED", version: string, value: string): string {
  const metadata = `{"name":"a","namespace":"home","resourceVersion":"${version}"}`;
  const object = `{"kind":"ConfigMap","apiVersion":"v1","metadata":${metadata},"data":${value}}`;
  return `{"type":"${type}","object":${object}}\n`;
}

const deep = (levels: number): string => '{"a":'.repeat(levels) + "1" + "}".repeat(levels);

const corruptValues: [string, string][] = [
  ["a bad literal", '{"a":trUe}'],
  ["a bad number", '{"a":1.}'],
  ["a bad escape", '{"a":"\\q"}'],
  ["a control character", '{"a":"\u0001"}'],
  ["a missing brace", '{"a":{"b":1}'],
  ["a wrong bracket", '{"a":[1}}'],
  ["a missing quote", '{"a":"b}'],
  ["more levels than are read", deep(maxDepth)],
  ["as many levels as a server takes", deep(9_990)],
];

test.each(corruptValues)(
  "with %s, an update is reported and the last good version stays",
  async (_, value) => {
    const stream = new Stream()
      .lines(added("b", "1"))
      .text(lineWith("ADDED", "2", '{"a":"b"}'))
      .lines(initialEnd("5"));
    await using given = await corrupting(stream);
    const { maps, recorder, world } = given;
    stream.text(lineWith("MODIFIED", "6", value));
    const versions = (
      objects: readonly { readonly metadata: { readonly resourceVersion: string } }[],
    ): string[] => objects.map(({ metadata }) => metadata.resourceVersion);
    expect([versions(maps.lister.list()), versions(maps.lister.views())]).toEqual([
      ["1", "2"],
      ["1", "2"],
    ]);
    expect([...maps.undecodable.keys()]).toEqual(["home/a"]);
    expect(world.logged.map(({ level, message, fields }) => [level, message, fields.key])).toEqual([
      ["error", "object undecodable", "home/a"],
    ]);
    stream.text(lineWith("MODIFIED", "7", '{"a":"c"}')).lines(modified("b", "8"));
    expect(recorder.received()).toEqual([
      "added home/b@1 initial",
      "added home/a@2 initial",
      "updated home/a@2>7",
      "updated home/b@1>8",
    ]);
    expect([...maps.undecodable.keys()]).toEqual([]);
  },
);

test.each(corruptValues)(
  "with %s, an object of the first list is reported and the others are read",
  async (_, value) => {
    const stream = new Stream().text(lineWith("ADDED", "2", value)).lines(added("b", "1"), initialEnd("5"));
    await using given = await corrupting(stream);
    await given.maps.synced;
    expect(given.maps.lister.views().map(({ metadata }) => metadata.name)).toEqual(["b"]);
    expect([...given.maps.undecodable.keys()]).toEqual(["home/a"]);
  },
);

test("an object with corrupt metadata leads to a relist, because it may be any object", async () => {
  const stream = new Stream().lines(added("a", "1"), initialEnd("5"));
  await using given = await corrupting(stream, new Stream().lines(added("a", "7"), initialEnd("8")));
  await given.maps.synced;
  stream.text(lineWith("MODIFIED", "6", "{}").replace('"name":"a"', '"name":"a'));
  expect(given.maps.lister.list().map(({ metadata }) => metadata.resourceVersion)).toEqual(["1"]);
  await given.world.clock.advance(30_000);
  expect(given.maps.lister.list().map(({ metadata }) => metadata.resourceVersion)).toEqual(["7"]);
  expect(given.world.logged.map(({ message }) => message)).toContain("object undecodable");
  stream.lines(error(410, "Expired"));
});

test("with a transform, the last good version of a corrupt object is kept, too", async () => {
  const stream = new Stream().text(lineWith("ADDED", "2", '{"a":"b"}')).lines(initialEnd("5"));
  await using world = new TestInformers([stream]);
  const maps = world.factory.for(ConfigMap, { transform: (map) => map });
  await world.start();
  await maps.synced;
  stream.text(lineWith("MODIFIED", "6", '{"a":trUe}'));
  expect(maps.lister.list().map(({ metadata }) => metadata.resourceVersion)).toEqual(["2"]);
  expect([...maps.undecodable.keys()]).toEqual(["home/a"]);
});
