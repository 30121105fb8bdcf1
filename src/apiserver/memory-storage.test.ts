import { expect, test } from "vitest";
import { MemoryStorage } from "./memory-storage.ts";
import { storageContract } from "./storage.contract.ts";
import { CompactedError } from "./storage.ts";

storageContract("memory", () => new MemoryStorage());

test("the oldest changes are forgotten when there are too many", () => {
  const storage = new MemoryStorage({ historyLength: 2 });
  const revisions = ["1", "2", "3", "4"].map(
    (json) => storage.put("/a", { expected: storage.get("/a")?.revision ?? 0, json }).revision,
  );
  expect(storage.compacted).toBe(revisions[1]);
  expect(() => storage.list("/", { revision: revisions[0] })).toThrow(CompactedError);
  expect(storage.list("/", { revision: revisions[1] }).items.map(({ json }) => json)).toEqual(["2"]);
});

test("the oldest changes are forgotten when what they replaced is too much", () => {
  const storage = new MemoryStorage({ historyCharacters: 10 });
  let { revision } = storage.put("/a", { expected: 0, json: "x".repeat(6) });
  for (const _ of [1, 2, 3]) ({ revision } = storage.put("/a", { expected: revision, json: "x".repeat(6) }));
  expect(storage.compacted).toBe(revision - 1);
});
