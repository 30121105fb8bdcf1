import { describe, expect, test } from "vitest";
import { DeltaQueue, type EntryDelta } from "./delta-queue.ts";
import type { Entry } from "./entry.ts";
import { entryOf, thing } from "./objects.fixture.ts";
import { Store } from "./store.ts";

/** Returns the entry with this name in the expectations: `a@1`. */
function entry(text: string): Entry {
  const [name = "", version = ""] = text.split("@");
  return entryOf(thing(`home/${name}`, version));
}

function queueOver(...known: readonly Entry[]): DeltaQueue {
  const store = new Store();
  for (const each of known) store.put(each);
  return new DeltaQueue(store);
}

function drained(queue: DeltaQueue): string[] {
  const lines: string[] = [];
  queue.drain((delta) => lines.push(text(delta)));
  return lines;
}

function text(delta: EntryDelta): string {
  const { type, entry } = delta;
  const mark =
    (type === "replaced" && delta.initial && "initial") || (type === "deleted" && delta.missed && "missed");
  return `${mark ? `${mark} ` : ""}${type} ${entry.name}@${entry.resourceVersion}`;
}

describe("changes are drained in order", () => {
  test("all changes of one object are kept", () => {
    const queue = queueOver();
    queue.push({ type: "added", entry: entry("a@1") });
    queue.push({ type: "updated", entry: entry("a@2") });
    queue.push({ type: "deleted", entry: entry("a@3"), missed: false });
    expect(drained(queue)).toEqual(["added a@1", "updated a@2", "deleted a@3"]);
    expect(drained(queue)).toEqual([]);
  });

  test("another change of an object is appended", () => {
    const queue = queueOver();
    for (const each of ["a@1", "b@2", "a@3"]) queue.push({ type: "updated", entry: entry(each) });
    expect(drained(queue)).toEqual(["updated a@1", "updated b@2", "updated a@3"]);
  });

  test("a delete of an unknown object is kept", () => {
    const queue = queueOver();
    queue.push({ type: "deleted", entry: entry("a@1"), missed: false });
    expect(drained(queue)).toEqual(["deleted a@1"]);
  });

  test("changes during a drain are the next batch", () => {
    const queue = queueOver();
    queue.push({ type: "added", entry: entry("a@1") });
    queue.drain(() => queue.push({ type: "added", entry: entry("b@2") }));
    expect(drained(queue)).toEqual(["added b@2"]);
  });
});

describe("two successive deletes of one object are merged", () => {
  const anotherBetween = (queue: DeltaQueue) => queue.push({ type: "added", entry: entry("b@9") });

  test("the newer delete is kept", () => {
    const queue = queueOver();
    queue.push({ type: "deleted", entry: entry("a@1"), missed: false });
    anotherBetween(queue);
    queue.push({ type: "deleted", entry: entry("a@2"), missed: false });
    expect(drained(queue)).toEqual(["deleted a@2", "added b@9"]);
  });

  test("a received delete is kept rather than a missed one", () => {
    const queue = queueOver();
    queue.push({ type: "deleted", entry: entry("a@1"), missed: false });
    queue.push({ type: "deleted", entry: entry("a@2"), missed: true });
    queue.push({ type: "deleted", entry: entry("b@1"), missed: true });
    queue.push({ type: "deleted", entry: entry("b@2"), missed: false });
    expect(drained(queue)).toEqual(["deleted a@1", "deleted b@2"]);
  });

  test("deletes are not merged across a re-creation or namespaces", () => {
    const queue = queueOver();
    queue.push({ type: "deleted", entry: entry("a@1"), missed: false });
    queue.push({ type: "added", entry: entry("a@2") });
    queue.push({ type: "deleted", entry: entry("a@3"), missed: false });
    queue.push({ type: "deleted", entry: entryOf(thing("other/a", 4)), missed: false });
    expect(drained(queue)).toEqual(["deleted a@1", "added a@2", "deleted a@3", "deleted a@4"]);
  });
});

describe("a list", () => {
  test("queues its objects in order, each time it is received", () => {
    const queue = queueOver();
    queue.replace(["b@2", "a@1", "a@1"].map(entry));
    expect(drained(queue)).toEqual(["initial replaced b@2", "initial replaced a@1", "initial replaced a@1"]);
  });

  test("first deletes missing objects: queued ones, then stored ones", () => {
    const queue = queueOver(entry("known@1"));
    queue.push({ type: "added", entry: entry("queued@2") });
    queue.replace([entry("a@3")]);
    expect(drained(queue)).toEqual([
      "added queued@2",
      "missed deleted queued@2",
      "missed deleted known@1",
      "initial replaced a@3",
    ]);
  });

  test("deletes the newest version that was received", () => {
    const queue = queueOver(entry("a@1"));
    queue.push({ type: "deleted", entry: entry("a@2"), missed: false });
    queue.push({ type: "added", entry: entry("a@3") });
    queue.replace([]);
    expect(drained(queue)).toEqual(["deleted a@2", "added a@3", "missed deleted a@3"]);
  });

  test("deletes no object twice", () => {
    const queue = queueOver(entry("a@1"), entry("b@1"));
    queue.push({ type: "deleted", entry: entry("a@2"), missed: false });
    queue.replace([]);
    queue.replace([]);
    expect(drained(queue)).toEqual(["deleted a@2", "missed deleted b@1"]);
  });

  test("is queued beside other lists, and a missing object is deleted once", () => {
    const queue = queueOver();
    queue.push({ type: "added", entry: entry("a@1") });
    queue.replace([entry("a@2")]);
    queue.replace([entry("a@2")]);
    queue.replace([]);
    expect(drained(queue)).toEqual([
      "added a@1",
      "initial replaced a@2",
      "initial replaced a@2",
      "missed deleted a@2",
    ]);
  });

  test("keeps the earlier delete of an object that it contains", () => {
    const queue = queueOver(entry("a@1"));
    queue.push({ type: "deleted", entry: entry("a@2"), missed: false });
    queue.replace([entry("a@3")]);
    expect(drained(queue)).toEqual(["deleted a@2", "initial replaced a@3"]);
  });

  test("does not delete an object that it contains in the stored version while another version is queued", () => {
    const known = entry("a@1");
    const queue = queueOver(known);
    queue.push({ type: "updated", entry: entry("a@2") });
    queue.replace([known]);
    expect(drained(queue)).toEqual(["updated a@2", "initial replaced a@1"]);
  });

  test("recognises stored objects in the same and in another version", () => {
    const same = entry("same@1");
    const queue = queueOver(same, entry("changed@1"), entry("gone@1"));
    queue.replace([same, entry("changed@2")]);
    expect(drained(queue)).toEqual([
      "missed deleted gone@1",
      "initial replaced same@1",
      "initial replaced changed@2",
    ]);
  });
});

describe("a queue is", () => {
  test("synced when the first list is processed, and later lists are not initial", () => {
    const queue = queueOver();
    queue.replace([entry("a@1")]);
    queue.drain(() => expect(queue.synced).toBe(false));
    expect(queue.synced).toBe(true);
    queue.replace([entry("b@2")]);
    expect(drained(queue)).toEqual(["replaced b@2"]);
  });

  test("not synced while a delete or a duplicate of the first list is not processed", () => {
    const queue = queueOver(entry("gone@1"));
    queue.push({ type: "added", entry: entry("queued@2") });
    queue.replace(["a@3", "a@3", "b@4"].map(entry));
    const seen: unknown[] = [];
    queue.drain((delta) => seen.push([text(delta), queue.synced]));
    expect(seen).toEqual([
      ["added queued@2", false],
      ["missed deleted queued@2", false],
      ["missed deleted gone@1", false],
      ["initial replaced a@3", false],
      ["initial replaced a@3", false],
      ["initial replaced b@4", false],
    ]);
    expect(queue.synced).toBe(true);
  });

  test("not synced while the deletes of an empty first list are not processed", () => {
    const queue = queueOver(entry("a@1"), entry("b@2"));
    queue.replace([]);
    const seen: unknown[] = [];
    queue.drain((delta) => seen.push([text(delta), queue.synced]));
    expect(seen).toEqual([
      ["missed deleted a@1", false],
      ["missed deleted b@2", false],
    ]);
    expect(queue.synced).toBe(true);
  });

  test("synced when an empty list is processed", () => {
    const queue = queueOver();
    queue.replace([]);
    expect(queue.synced).toBe(false);
    expect(drained(queue)).toEqual([]);
    expect(queue.synced).toBe(true);
  });

  test("not synced by changes alone, or by draining an empty queue", () => {
    const queue = queueOver();
    queue.push({ type: "added", entry: entry("a@1") });
    drained(queue);
    drained(queue);
    expect(queue.synced).toBe(false);
  });
});

describe("a resync queues stored objects", () => {
  test("after all queued changes", () => {
    const queue = queueOver(entry("a@1"));
    queue.push({ type: "added", entry: entry("b@2") });
    queue.resync();
    expect(drained(queue)).toEqual(["added b@2", "sync a@1"]);
  });

  test.each([
    ["change", (queue: DeltaQueue) => queue.push({ type: "updated", entry: entry("a@2") }), "updated a@2"],
    [
      "delete",
      (queue: DeltaQueue) => queue.push({ type: "deleted", entry: entry("a@2"), missed: false }),
      "deleted a@2",
    ],
  ] as const)("but not what a queued %s is about", (_, hear, heard) => {
    const queue = queueOver(entry("a@1"), entry("b@1"));
    hear(queue);
    queue.resync();
    expect(drained(queue)).toEqual([heard, "sync b@1"]);
  });
});
