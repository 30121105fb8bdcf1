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

/**
 * Tests that an implementation fulfils the contract of `Storage`. `open` returns an empty one, which the tests close.
 */
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

  storageTest("a new storage is empty, at a revision of at least 1", (storage) => {
    expect(storage.revision).toBeGreaterThanOrEqual(1);
    expect(storage.list("/")).toEqual({ items: [], revision: storage.revision, remaining: 0 });
    expect(storage.get("/a")).toBeUndefined();
  });

  storageTest("put stores an entry at the next revision", (storage) => {
    const before = storage.revision;
    const stored = storage.put("/a", { expected: 0, json: "1" });
    expect(stored).toEqual({ key: "/a", revision: before + 1, json: "1" });
    expect([storage.get("/a"), storage.revision]).toEqual([stored, before + 1]);
  });

  storageTest("every change takes a revision, regardless of its key", (storage) => {
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
    "a change of a key without the expected revision throws StaleError with the current entry",
    (storage) => {
      const stored = storage.put("/a", { expected: 0, json: "1" });
      const attempts = [
        () => storage.put("/a", { expected: 0, json: "2" }),
        () => storage.put("/a", { expected: stored.revision - 1, json: "2" }),
        () => storage.remove("/a", stored.revision + 1),
      ];
      for (const attempt of attempts) expect(staleErrorOf(attempt)).toEqual({ current: stored });
      for (const attempt of [
        () => storage.put("/b", { expected: 7, json: "2" }),
        () => storage.remove("/b", 0),
      ]) {
        expect(staleErrorOf(attempt)).toEqual({ current: undefined });
      }
      expect([storage.revision, storage.get("/a")]).toEqual([stored.revision, stored]);
    },
  );

  storageTest("a list has the keys with the prefix, in bytewise order", (storage) => {
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

  storageTest("a page ends at its limit and reports how many keys remain", (storage) => {
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

  storageTest("a change is reported to the listeners of its prefix before the call returns", (storage) => {
    const changes: StorageChange[] = [];
    using _ = storage.onChange("/a/", (change) => changes.push(change));
    const created = storage.put("/a/1", { expected: 0, json: "1" });
    storage.put("/b/1", { expected: 0, json: "1" });
    const changed = storage.put("/a/1", { expected: created.revision, json: "2" });
    const { revision } = storage.remove("/a/1", changed.revision);
    expect(changes).toEqual([
      { key: "/a/1", revision: created.revision, before: undefined, after: created },
      { key: "/a/1", revision: changed.revision, before: created, after: changed },
      { key: "/a/1", revision, before: changed, after: undefined },
    ]);
  });

  storageTest("a listener reads the changed state", (storage) => {
    const reads: unknown[] = [];
    using _ = storage.onChange("", ({ key }) =>
      reads.push([storage.get(key)?.json, storage.list(key).items.length]),
    );
    const created = storage.put("/a", { expected: 0, json: "1" });
    storage.remove("/a", created.revision);
    expect(reads).toEqual([
      ["1", 1],
      [undefined, 0],
    ]);
  });

  storageTest("a disposed listener is not called", (storage) => {
    const changes: StorageChange[] = [];
    storage.onChange("", (change) => changes.push(change))[Symbol.dispose]();
    storage.put("/a", { expected: 0, json: "1" });
    expect(changes).toEqual([]);
  });

  storageTest("compacted revisions cannot be read, later ones can", (storage) => {
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

  test(`${name}: an object of more than maxStoredBytes throws TooLargeError and changes nothing`, () => {
    const storage = open();
    const write = (text: string) => storage.put("/k/a", { expected: 0, json: text });
    expect(() => write("é".repeat(maxStoredBytes / 2 + 1))).toThrow(
      new TooLargeError("/k/a", maxStoredBytes + 2),
    );
    expect([storage.get("/k/a"), storage.revision]).toEqual([undefined, 1]);
    expect(write("é".repeat(maxStoredBytes / 2)).revision).toBe(2);
  });

  test(`${name}: a list at an earlier revision has the entries of that revision`, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.nat(5), fc.nat(5), (steps, after, limit) => {
        const storage = open();
        const snapshots = steps.map((one) => makeChange(storage, one));
        for (const { revision, all } of snapshots) {
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

/** Makes a change. Returns the revision and all entries after it. */
function makeChange(storage: Storage, { key, remove }: { key: string; remove: boolean }): Snapshot {
  const expected = storage.get(key)?.revision ?? 0;
  if (remove && expected > 0) storage.remove(key, expected);
  else storage.put(key, { expected, json: String(storage.revision) });
  return { revision: storage.revision, all: storage.list("/k/").items };
}

interface Snapshot {
  readonly revision: number;
  readonly all: ReturnType<Storage["list"]>["items"];
}

function staleErrorOf(attempt: () => unknown): unknown {
  try {
    return attempt();
  } catch (error) {
    if (!(error instanceof StaleError)) throw error;
    return { current: error.current };
  }
}
