import fc from "fast-check";
import { expect, test } from "vitest";
import {
  CompactedError,
  maxStoredBytes,
  StaleError,
  type Storage,
  type StorageChange,
  TooLargeError,
} from "./storage.ts";

/** What every `Storage` must do. `open` gives an empty one; the tests close it. */
export function storageContract(name: string, open: () => Storage): void {
  const storageTest = (behaviour: string, run: (storage: Storage) => void): void => {
    test(`${name}: ${behaviour}`, () => {
      const storage = open();
      try {
        run(storage);
      } finally {
        storage.close();
      }
    });
  };

  storageTest("a new one is empty, at a revision from 1 on", (storage) => {
    expect(storage.revision).toBeGreaterThanOrEqual(1);
    expect(storage.list("/")).toEqual({ items: [], revision: storage.revision, remaining: 0 });
    expect(storage.get("/a")).toBeUndefined();
  });

  storageTest("what is put is there, at the next revision", (storage) => {
    const before = storage.revision;
    const stored = storage.put("/a", { expected: 0, json: "1" });
    expect(stored).toEqual({ key: "/a", revision: before + 1, json: "1" });
    expect([storage.get("/a"), storage.revision]).toEqual([stored, before + 1]);
  });

  storageTest("every change takes a revision, whatever its key", (storage) => {
    const start = storage.revision;
    const a = storage.put("/a", { expected: 0, json: "1" });
    const b = storage.put("/b", { expected: 0, json: "1" });
    const again = storage.put("/a", { expected: a.revision, json: "2" });
    const removed = storage.remove("/b", b.revision);
    expect([a.revision, b.revision, again.revision, removed.revision]).toEqual(
      [1, 2, 3, 4].map((n) => start + n),
    );
    expect(removed.last).toEqual(b);
    expect(storage.get("/b")).toBeUndefined();
  });

  storageTest(
    "a change of a key that is not as expected is refused with what is there, and changes nothing",
    (storage) => {
      const stored = storage.put("/a", { expected: 0, json: "1" });
      const attempts = [
        () => storage.put("/a", { expected: 0, json: "2" }),
        () => storage.put("/a", { expected: stored.revision - 1, json: "2" }),
        () => storage.remove("/a", stored.revision + 1),
      ];
      for (const attempt of attempts) expect(staleness(attempt)).toEqual({ current: stored });
      for (const attempt of [
        () => storage.put("/b", { expected: 7, json: "2" }),
        () => storage.remove("/b", 0),
      ]) {
        expect(staleness(attempt)).toEqual({ current: undefined });
      }
      expect([storage.revision, storage.get("/a")]).toEqual([stored.revision, stored]);
    },
  );

  storageTest("a list is of what has the prefix, in order of bytes", (storage) => {
    const keys = [
      "/b/a",
      "/a/a",
      "/a/a.b",
      "/a/a-b",
      "/a/B",
      "/a/é",
      "/a/\u{1f600}",
      "/a/\uffee",
      "/ab",
      "/a/a/b",
    ];
    for (const key of keys) storage.put(key, { expected: 0, json: key });
    const { items, revision, remaining } = storage.list("/a/");
    expect(items.map(({ key }) => key)).toEqual([
      "/a/B",
      "/a/a",
      "/a/a-b",
      "/a/a.b",
      "/a/a/b",
      "/a/é",
      "/a/\uffee",
      "/a/\u{1f600}",
    ]);
    expect({ revision, remaining }).toEqual({ revision: storage.revision, remaining: 0 });
  });

  storageTest("a page ends at its limit and says how many follow", (storage) => {
    for (const key of ["/a/1", "/a/2", "/a/3", "/a/4", "/b/1"]) storage.put(key, { expected: 0, json: "" });
    const page = (after: string | undefined, limit: number): unknown => {
      const { items, remaining } = storage.list("/a/", { after, limit });
      return [items.map(({ key }) => key), remaining];
    };
    expect(page(undefined, 2)).toEqual([["/a/1", "/a/2"], 2]);
    expect(page("/a/2", 1)).toEqual([["/a/3"], 1]);
    expect(page("/a/2", 2)).toEqual([["/a/3", "/a/4"], 0]);
    expect(page("/a/25", 9)).toEqual([["/a/3", "/a/4"], 0]);
    expect(page("/a/4", 9)).toEqual([[], 0]);
  });

  storageTest(
    "a change is reported by the time the call returns, to who listens to its prefix",
    (storage) => {
      const changes: StorageChange[] = [];
      using _ = storage.onChange("/a/", (change) => changes.push(change));
      const made = storage.put("/a/1", { expected: 0, json: "1" });
      storage.put("/b/1", { expected: 0, json: "1" });
      const changed = storage.put("/a/1", { expected: made.revision, json: "2" });
      const { revision } = storage.remove("/a/1", changed.revision);
      expect(changes).toEqual([
        { key: "/a/1", revision: made.revision, before: undefined, after: made },
        { key: "/a/1", revision: changed.revision, before: made, after: changed },
        { key: "/a/1", revision, before: changed, after: undefined },
      ]);
    },
  );

  storageTest("a listener sees the change in what it reads", (storage) => {
    const seen: unknown[] = [];
    using _ = storage.onChange("", ({ key }) =>
      seen.push([storage.get(key)?.json, storage.list(key).items.length]),
    );
    const made = storage.put("/a", { expected: 0, json: "1" });
    storage.remove("/a", made.revision);
    expect(seen).toEqual([
      ["1", 1],
      [undefined, 0],
    ]);
  });

  storageTest("who has stopped listening is told nothing more", (storage) => {
    const changes: StorageChange[] = [];
    storage.onChange("", (change) => changes.push(change))[Symbol.dispose]();
    storage.put("/a", { expected: 0, json: "1" });
    expect(changes).toEqual([]);
  });

  storageTest("what was compacted can no longer be read, what came after can", (storage) => {
    const a = storage.put("/a", { expected: 0, json: "1" });
    const b = storage.put("/b", { expected: 0, json: "1" });
    storage.put("/a", { expected: a.revision, json: "2" });
    storage.compact(b.revision);
    expect(storage.compacted).toBe(b.revision);
    expect(() => storage.list("/", { revision: a.revision })).toThrow(CompactedError);
    expect(storage.list("/", { revision: b.revision }).items).toEqual([a, b]);
    storage.compact(a.revision);
    expect(storage.compacted).toBe(b.revision);
  });

  test(`${name}: an object of more than maxStoredBytes is refused, and nothing changes`, () => {
    const storage = open();
    const write = (text: string) => storage.put("/k/a", { expected: 0, json: text });
    expect(() => write("é".repeat(maxStoredBytes / 2 + 1))).toThrow(
      new TooLargeError("/k/a", maxStoredBytes + 2),
    );
    expect([storage.get("/k/a"), storage.revision]).toEqual([undefined, 1]);
    expect(write("é".repeat(maxStoredBytes / 2)).revision).toBe(2);
  });

  test(`${name}: what is read at an earlier revision is what was there then`, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.nat(5), fc.nat(5), (steps, after, limit) => {
        const storage = open();
        const moments = steps.map((one) => play(storage, one));
        for (const { revision, all } of moments) {
          const options = { revision, after: `/k/${after}`, limit };
          const rest = all.filter(({ key }) => key > `/k/${after}`);
          expect(storage.list("/k/", { revision })).toEqual({ items: all, revision, remaining: 0 });
          expect(storage.list("/k/", options)).toEqual({
            items: rest.slice(0, limit),
            revision,
            remaining: Math.max(rest.length - limit, 0),
          });
        }
        storage.close();
      }),
    );
  });
}

const step = fc.record({ key: fc.nat(7).map((n) => `/k/${n}`), remove: fc.boolean() });

/** Makes a change and tells what there is after it. */
function play(storage: Storage, { key, remove }: { key: string; remove: boolean }): Moment {
  const expected = storage.get(key)?.revision ?? 0;
  if (remove && expected > 0) storage.remove(key, expected);
  else storage.put(key, { expected, json: String(storage.revision) });
  return { revision: storage.revision, all: storage.list("/k/").items };
}

interface Moment {
  readonly revision: number;
  readonly all: ReturnType<Storage["list"]>["items"];
}

function staleness(attempt: () => unknown): unknown {
  try {
    return attempt();
  } catch (error) {
    if (!(error instanceof StaleError)) throw error;
    return { current: error.current };
  }
}
