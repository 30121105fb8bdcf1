import { expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { prometheus } from "../base/index.ts";
import { metadataFieldChanged, type ObjectEvent, type ObjectUpdated, releaseEvent } from "./index.ts";
import { Stream } from "./scripted-transport.fixture.ts";
import { TestInformers } from "./test-informers.fixture.ts";
import { error, initialEnd, list, object } from "./test-reflector.fixture.ts";

const objects = 2000;
/** Of one, about. */
const bytes = 1000;

/** One of many that are much alike. */
function large(type: string, at: number, version: number): object {
  const data = { text: `${at} and ${version}, and what all say: ${"the same ".repeat(100)}` };
  const { metadata, ...rest } = object(`map-${at}`, String(version));
  const labels = { odd: String(version % 2) };
  return { type, object: { ...rest, metadata: { ...metadata, labels }, data } };
}

/** An informer of that many, and what its copy takes. */
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

  /** As much as so many objects would as they came. */
  async takes(): Promise<number> {
    const text = await this.#metrics.text();
    return Number(/^informer_bytes\{.*\} (\d+)$/m.exec(text)?.[1]) / bytes;
  }

  change(at: number): void {
    this.#version += 1;
    this.stream.lines(large("MODIFIED", at, this.#version));
  }
}

test("objects of one kind that are much alike take a fraction of their bytes, but for the first of them", async () => {
  await using world = new Many();
  const maps = world.factory.for(ConfigMap);
  await world.start();
  expect(await world.takes()).toBeLessThan(objects / 3);
  const [last] = maps.lister.list().slice(-1);
  expect(last).toEqual((large("ADDED", objects - 1, objects) as { object: object }).object);
});

test("what comes in a rush is kept as it comes, and what comes with time between is packed", async () => {
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

test("a list that comes after a rush is packed too", async () => {
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

test("an event says what it said, however much has changed since it was told", async () => {
  await using world = new Many();
  const events: ObjectEvent<KubeObject>[] = [];
  world.factory.for(ConfigMap).on((event) => {
    if (event.type === "updated") expect(event.metadataChanged).toBe(isOther(event));
    events.push(event);
  });
  await world.start();
  for (let at = 0; at < 3 * objects; at++) {
    if (at % 1200 > 400) await world.clock.advance(1); // packed and unpacked ones in turn
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

/** Whether its labels are others than before. */
function isOther({ object, previous }: ObjectUpdated<KubeObject>): boolean {
  return object.metadata.labels?.odd !== previous.metadata.labels?.odd;
}

/** The version that its object has, and that it had by what its text says. */
function saysOf({ object }: ObjectEvent<KubeObject>): [string | undefined, string | undefined] {
  const { data } = object as ConfigMap;
  return [object.metadata.resourceVersion, / and (\d+),/.exec(data?.text ?? "")?.[1]];
}
