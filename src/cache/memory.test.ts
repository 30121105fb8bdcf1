import { expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { prometheus } from "../base/index.ts";
import { metadataFieldChanged, type ObjectEvent, type ObjectUpdated, releaseEvent } from "./index.ts";
import { Stream } from "./reflector/scripted-transport.fixture.ts";
import { error, initialEnd, list, object } from "./reflector/test-reflector.fixture.ts";
import { TestInformers } from "./test-informers.fixture.ts";

const objects = 2000;
/** Approximate bytes of one object. */
const bytes = 1000;

/** Returns one of many similar objects. */
function large(type: string, at: number, version: number): object {
  const data = { text: `${at} and ${version}, and what all say: ${"the same ".repeat(100)}` };
  const { metadata, ...rest } = object(`map-${at}`, String(version));
  const labels = { odd: String(version % 2) };
  return { type, object: { ...rest, metadata: { ...metadata, labels }, data } };
}

/** An informer with this many objects, and the size of its cache. */
class Many extends TestInformers {
  readonly stream: Stream;
  readonly #metrics;
  #version = objects;

  constructor() {
    const metrics = prometheus();
    const all = Array.from({ length: objects }, (_, at) => large("ADDED", at, at + 1));
    const stream = new Stream().lines(...all, initialEnd(String(objects)));
    super([stream], { metrics });
    this.stream = stream;
    this.#metrics = metrics;
  }

  /** Size of this many uncompressed objects. */
  async takes(): Promise<number> {
    const text = await this.#metrics.text();
    return Number(/^informer_bytes\{.*\} (\d+)$/m.exec(text)?.[1]) / bytes;
  }

  change(at: number): void {
    this.#version += 1;
    this.stream.lines(large("MODIFIED", at, this.#version));
  }
}

test("similar objects take a fraction of their bytes, except the first ones", async () => {
  await using world = new Many();
  const maps = world.factory.for(ConfigMap);
  await world.start();
  expect(await world.takes()).toBeLessThan(objects / 3);
  const [last] = maps.lister.list().slice(-1);
  expect(last).toEqual((large("ADDED", objects - 1, objects) as { object: object }).object);
});

test("events under load are not compressed, and others are", async () => {
  await using world = new Many();
  world.factory.for(ConfigMap);
  await world.start();
  for (let at = 0; at < objects; at++) world.change(at);
  expect(await world.takes()).toBeGreaterThan(objects);
  for (let at = 0; at < objects; at++) {
    await world.clock.advance(1);
    world.change(at);
  }
  expect(await world.takes()).toBeLessThan(objects / 3);
});

test("a list after load is compressed", async () => {
  await using world = new Many();
  world.factory.for(ConfigMap);
  await world.start();
  for (let at = 0; at < 10; at++) world.change(at);
  const again = Array.from({ length: objects }, (_, at) => large("ADDED", at, 5000 + at));
  const items = again.map((event) => (event as { object: object }).object);
  world.transport.prepare(
    { status: 400, body: { kind: "Status", code: 400, reason: "Invalid", message: "no" } },
    list("9000", items),
  );
  world.stream.lines(error(410, "Expired"));
  for (let times = 0; times < 20; times++) await world.clock.advance(5000);
  expect(world.transport.paths.some((path) => !path.includes("watch="))).toBe(true);
  expect(await world.takes()).toBeLessThan(objects / 3);
});

test("an event keeps its content after any number of later changes", async () => {
  await using world = new Many();
  const events: ObjectEvent<KubeObject>[] = [];
  world.factory.for(ConfigMap).on((event) => {
    if (event.type === "updated") expect(event.metadataChanged).toBe(isOther(event));
    events.push(event);
  });
  await world.start();
  for (let at = 0; at < 3 * objects; at++) {
    if (at % 1200 > 400) await world.clock.advance(1); // compressed and uncompressed ones in turn
    world.change(at % 499);
  }
  const updates = events.filter((event) => event.type === "updated");
  expect(updates.map((event) => metadataFieldChanged(event, "labels"))).toEqual(updates.map(isOther));
  expect(events.map(saysOf)).toEqual(events.map(({ resourceVersion }) => [resourceVersion, resourceVersion]));
  expect(events.length).toBe(4 * objects);
});

test("a released event cannot be read, and the events of other handlers can", async () => {
  await using world = new Many();
  const maps = world.factory.for(ConfigMap);
  const done: ObjectEvent<KubeObject>[] = [];
  const kept: ObjectEvent<KubeObject>[] = [];
  maps.on((event) => {
    done.push(event);
    releaseEvent(event);
  });
  maps.on((event) => kept.push(event));
  await world.start();
  for (let at = 0; at < 3 * objects; at++) world.change(at % 500);
  const [first] = done;
  expect(() => first?.object).toThrow("event of home/map-0 already released");
  expect(kept.map(saysOf)).toEqual(kept.map(({ resourceVersion }) => [resourceVersion, resourceVersion]));
});

/** Returns true if its labels changed. */
function isOther({ object, previous }: ObjectUpdated<KubeObject>): boolean {
  return object.metadata.labels?.odd !== previous.metadata.labels?.odd;
}

/** Returns the version of its object, and the version in its text. */
function saysOf({ object }: ObjectEvent<KubeObject>): [string | undefined, string | undefined] {
  const { data } = object as ConfigMap;
  return [object.metadata.resourceVersion, / and (\d+),/.exec(data?.text ?? "")?.[1]];
}
