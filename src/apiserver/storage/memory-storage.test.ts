import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryStorage } from "./memory-storage.ts";
import { storageContract } from "./storage.contract.ts";
import { CompactedError, type StoredEntry } from "./storage.ts";

storageContract("memory", () => new MemoryStorage());

test("the oldest changes are discarded when there are too many", () => {
  const storage = new MemoryStorage({ historyLength: 2 });
  const revisions = ["1", "2", "3", "4"].map(
    (json) => storage.put("/a", { expected: storage.get("/a")?.revision ?? 0, json }).revision,
  );
  expect(storage.compacted).toBe(revisions[1]);
  expect(() => storage.list("/", { revision: revisions[0] })).toThrow(CompactedError);
  expect(storage.list("/", { revision: revisions[1] }).items.map(({ json }) => json)).toEqual(["2"]);
});

test("the oldest changes are discarded when the versions they replaced are too long", () => {
  const storage = new MemoryStorage({ historyCharacters: 10 });
  let { revision } = storage.put("/a", { expected: 0, json: "x".repeat(6) });
  for (const _ of [1, 2, 3]) ({ revision } = storage.put("/a", { expected: revision, json: "x".repeat(6) }));
  expect(storage.compacted).toBe(revision - 1);
});

test("pages at an earlier revision have the items of an unpaged list at that revision", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(12), fc.boolean()), { maxLength: 60 }), fc.nat(60), (writes, at) => {
      const storage = new MemoryStorage();
      let then = { revision: storage.revision, items: storage.list("/a/").items };
      for (const [index, [number, removes]] of writes.entries()) {
        write(storage, `${number % 3 === 0 ? "/b/" : "/a/"}${number}`, removes);
        if (index === at) then = { revision: storage.revision, items: storage.list("/a/").items };
      }
      expect(pagesOf(storage, then.revision)).toEqual(then.items);
    }),
  );
});

function write(storage: MemoryStorage, key: string, removes: boolean): void {
  const { revision = 0 } = storage.get(key) ?? {};
  if (!removes) storage.put(key, { expected: revision, json: "1" });
  else if (revision > 0) storage.remove(key, revision);
}

/** Returns the entries under "/a/" at a revision, read in pages of two. Checks the remaining count of each page. */
function pagesOf(storage: MemoryStorage, revision: number): StoredEntry[] {
  const { length } = storage.list("/a/", { revision }).items;
  const items: StoredEntry[] = [];
  for (let remaining = length; remaining > 0; ) {
    const page = storage.list("/a/", { revision, limit: 2, after: items.at(-1)?.key });
    items.push(...page.items);
    ({ remaining } = page);
    expect(items.length + remaining).toBe(length);
  }
  return items;
}
