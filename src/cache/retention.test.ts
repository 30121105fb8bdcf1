import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { type ObjectEvent, releaseEvent } from "./index.ts";
import { Stream } from "./reflector/scripted-transport.fixture.ts";
import { initialEnd, object } from "./reflector/test-reflector.fixture.ts";
import { TestInformers } from "./test-informers.fixture.ts";

const objects = 100;
const updates = 8000;
/** Approximate bytes of the JSON of one object. */
const bytes = 10_000;

function line(type: string, at: number, version: number): string {
  const { metadata, ...rest } = object(`map-${at}`, String(version));
  const data = { text: `${version} ${text}` };
  return `${JSON.stringify({ type, object: { ...rest, metadata, data } })}\n`;
}

const text = "0123456789".repeat(bytes / 10);

/** Returns the memory in use after a garbage collection. */
async function inUse(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void; // the flag adds it to new contexts
  for (let times = 0; times < 3; times++) {
    gc();
    await setImmediate();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Returns the memory that one kept event in a hundred takes, per byte of its JSON. */
async function heldPerByte(use: (event: ObjectEvent<KubeObject>) => void): Promise<number> {
  const initial = Array.from({ length: objects }, (_, at) => line("ADDED", at, at + 1)).join("");
  const stream = new Stream().text(initial).lines(initialEnd(String(objects)));
  await using world = new TestInformers([stream]);
  const kept: ObjectEvent<KubeObject>[] = [];
  let told = 0;
  world.factory.for(ConfigMap).on((event) => {
    if (event.type !== "updated") return;
    told += 1;
    if (told % 100 === 0) kept.push(event);
  });
  await world.start();
  const change = (count: number): void => {
    for (let at = 0; at < count; at++) stream.text(line("MODIFIED", at % objects, objects + 1 + told));
  };
  change(updates / 2); // both halves leave the same garbage
  const keptBefore = kept.length;
  const before = await inUse();
  change(updates / 2);
  for (const event of kept) use(event);
  const after = await inUse();
  expect(told).toBe(updates);
  return (after - before) / ((kept.length - keptBefore) * 2 * bytes); // each has an object and a previous one
}

test("a kept event takes about its own size, not that of its pages", async () => {
  expect(await heldPerByte(() => {})).toBeLessThan(3);
});

test("a completely read object releases its entry", async () => {
  const read = (event: ObjectEvent<KubeObject>): void => {
    JSON.stringify([event.object, event.type === "updated" && event.previous]);
  };
  expect(await heldPerByte(read)).toBeLessThan(3);
});

test("a released event takes no memory", async () => {
  expect(await heldPerByte(releaseEvent)).toBeLessThan(0.5);
});
