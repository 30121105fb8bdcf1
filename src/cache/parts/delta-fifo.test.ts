import { describe, expect, test } from "vitest";
import type { ConfigMap } from "../../api/types/core/v1.ts";
import { deferred } from "../../base/index.ts";
import { stateOf } from "../test-informers.fixture.ts";
import { DeltaFifo } from "./delta-fifo.ts";
import { configMap, deltasText, poppedFrom } from "./fifo.fixture.ts";
import { Indexer } from "./indexer.ts";
import { RequeueError } from "./requeue-error.ts";

/** Returns a queue that knows these objects. */
function fifoOver(...known: readonly string[]): DeltaFifo<ConfigMap> {
  const indexer = new Indexer<ConfigMap>();
  for (const each of known) indexer.add(configMap(each));
  return new DeltaFifo({ known: indexer });
}

describe("deltas are queued by key", () => {
  test("the deltas of one key are popped together, oldest first; keys in the order in which they were first queued", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    fifo.add(configMap("a@1"));
    fifo.add(configMap("b@2"));
    fifo.update(configMap("a@3"));
    fifo.delete(configMap("a@4"));
    fifo.add(configMap("a@5"));
    expect([fifo.size, fifo.backlog, fifo.keys()]).toEqual([2, 5, ["home/a", "home/b"]]);
    expect(await poppedFrom(fifo)).toEqual([
      "home/a: added a@1, updated a@3, deleted a@4, added a@5",
      "home/b: added b@2",
    ]);
    expect([fifo.size, fifo.backlog, fifo.keys()]).toEqual([0, 0, []]);
  });

  test("a key that is queued again after it was popped goes to the end", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    for (const each of ["a@1", "b@2", "c@3"]) fifo.add(configMap(each));
    await fifo.pop(() => {});
    fifo.update(configMap("a@4"));
    expect(fifo.keys()).toEqual(["home/b", "home/c", "home/a"]);
  });

  test("a key without a namespace is the name", () => {
    const fifo = new DeltaFifo<ConfigMap>();
    const { namespace: _, ...metadata } = configMap("a@1").metadata;
    fifo.add({ ...configMap("a@1"), metadata } as unknown as ConfigMap);
    expect(fifo.keys()).toEqual(["a"]);
  });

  test("an object without a name is refused, and a list with one queues nothing", () => {
    const fifo = new DeltaFifo<ConfigMap>();
    const nameless = { kind: "ConfigMap" } as ConfigMap;
    expect(() => fifo.add(nameless)).toThrow(
      'expected an object with metadata.name, got {"kind":"ConfigMap"}',
    );
    expect(() => fifo.replace([configMap("a@1"), nameless])).toThrow("expected an object with metadata.name");
    expect([fifo.size, fifo.hasSynced]).toEqual([0, false]);
  });

  test("deltas returns what is queued for a key, and get the newest version of an object, queued or known", () => {
    const fifo = fifoOver("known@1", "gone@2");
    fifo.update(configMap("known@3"));
    fifo.delete(configMap("gone@4"));
    expect(fifo.deltas("home/known")).toEqual([{ type: "updated", object: configMap("known@3") }]);
    expect(fifo.deltas("home/none")).toBeUndefined();
    expect(["home/known", "home/gone", "home/none"].map((key) => fifo.get(key))).toEqual([
      configMap("known@3"),
      undefined,
      undefined,
    ]);
  });
});

describe("deletes", () => {
  test("two in a row are one, of the newest version that the server sent", async () => {
    const fifo = fifoOver("a@1", "b@1");
    fifo.delete(configMap("a@2"));
    fifo.delete(configMap("a@3"));
    fifo.delete(configMap("b@2"));
    fifo.replace([]);
    expect(await poppedFrom(fifo)).toEqual(["home/a: deleted a@3", "home/b: deleted b@2"]);
  });

  test("one that the server sent replaces a missed one", async () => {
    const fifo = fifoOver("a@1");
    fifo.replace([]);
    fifo.delete(configMap("a@2"));
    expect(await poppedFrom(fifo)).toEqual(["initial home/a: deleted a@2"]);
  });

  test("only deletes that follow each other are one", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    fifo.add(configMap("a@1"));
    fifo.delete(configMap("a@2"));
    fifo.delete(configMap("a@3"));
    fifo.add(configMap("a@4"));
    fifo.delete(configMap("a@5"));
    expect(await poppedFrom(fifo)).toEqual(["home/a: added a@1, deleted a@3, added a@4, deleted a@5"]);
  });

  test("the delete of an object that is neither queued nor known is dropped", async () => {
    const without = new DeltaFifo<ConfigMap>();
    const knowing = fifoOver("a@1");
    for (const fifo of [without, knowing]) for (const each of ["a@2", "b@2"]) fifo.delete(configMap(each));
    expect([await poppedFrom(without), await poppedFrom(knowing)]).toEqual([[], ["home/a: deleted a@2"]]);
  });
});

describe("a list", () => {
  test("queues its objects, then a missed delete of each other object in the newest version: queued, then known ones", async () => {
    const fifo = fifoOver("both@1", "known@1", "listed@1");
    fifo.update(configMap("both@2"));
    fifo.add(configMap("queued@3"));
    fifo.replace([configMap("listed@4"), configMap("new@4")]);
    expect(fifo.keys()).toEqual(["home/both", "home/queued", "home/listed", "home/new", "home/known"]);
    expect(await poppedFrom(fifo)).toEqual([
      "home/both: updated both@2, missed deleted both@2",
      "home/queued: added queued@3, missed deleted queued@3",
      "home/listed: replaced listed@4",
      "home/new: replaced new@4",
      "home/known: missed deleted known@1",
    ]);
  });

  test("is appended to the queued deltas of its objects, also to a delete", async () => {
    const fifo = fifoOver("a@1");
    fifo.delete(configMap("a@2"));
    fifo.replace([configMap("a@3")]);
    expect(await poppedFrom(fifo)).toEqual(["home/a: deleted a@2, replaced a@3"]);
  });

  test("finds deletes among queued objects only, if nothing is known", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    fifo.add(configMap("a@1"));
    fifo.replace([]);
    fifo.replace([]);
    expect(await poppedFrom(fifo)).toEqual(["home/a: added a@1, missed deleted a@1"]);
    fifo.replace([]);
    expect(fifo.size).toBe(0);
  });

  test("deletes the version that was added after a delete", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    fifo.add(configMap("a@1"));
    fifo.delete(configMap("a@2"));
    fifo.add(configMap("a@3"));
    fifo.replace([]);
    expect(await poppedFrom(fifo)).toEqual(["home/a: added a@1, deleted a@2, added a@3, missed deleted a@3"]);
  });

  test("deletes an object that is being processed and not known yet", async () => {
    const known = new Indexer<ConfigMap>();
    const fifo = new DeltaFifo<ConfigMap>({ known });
    fifo.add(configMap("a@1"));
    await fifo.pop(async () => {
      fifo.replace([]);
      known.add(configMap("a@1"));
    });
    expect(await poppedFrom(fifo)).toEqual(["home/a: missed deleted a@1"]);
  });

  test("does not delete an object again whose delete is being processed", async () => {
    const fifo = fifoOver("a@1");
    fifo.delete(configMap("a@2"));
    await fifo.pop(async () => {
      fifo.replace([]);
      fifo.delete(configMap("a@2"));
    });
    expect(fifo.size).toBe(0);
  });
});

describe("a resync", () => {
  test("queues known objects without queued deltas", async () => {
    const fifo = fifoOver("a@1", "b@1", "c@1");
    fifo.update(configMap("a@2"));
    fifo.delete(configMap("b@2"));
    fifo.resync();
    expect(await poppedFrom(fifo)).toEqual([
      "home/a: updated a@2",
      "home/b: deleted b@2",
      "home/c: sync c@1",
    ]);
  });

  test("skips an object that is being processed, because its known version is outdated", async () => {
    const fifo = fifoOver("a@1");
    fifo.update(configMap("a@2"));
    await fifo.pop(async () => fifo.resync());
    expect(fifo.size).toBe(0);
  });
});

describe("pop", () => {
  test("waits for a key", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    const lines: string[] = [];
    const popped = fifo.pop((key, deltas) => lines.push(deltasText(key, deltas)));
    expect(await stateOf(popped)).toBe("pending");
    fifo.add(configMap("a@1"));
    expect([await popped, lines]).toEqual([true, ["home/a: added a@1"]]);
  });

  test("processes one key at a time, for all callers in their order", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    const [first, lines] = [deferred(), [] as string[]];
    const popping = [0, 1].map((caller) =>
      fifo.pop(async (key) => {
        lines.push(`${caller} starts ${key}`);
        if (caller === 0) await first.promise;
        lines.push(`${caller} ends ${key}`);
      }),
    );
    fifo.add(configMap("a@1"));
    fifo.add(configMap("b@2"));
    expect(await stateOf(Promise.race(popping))).toBe("pending");
    first.resolve();
    expect(await Promise.all(popping)).toEqual([true, true]);
    expect(lines).toEqual(["0 starts home/a", "0 ends home/a", "1 starts home/b", "1 ends home/b"]);
  });

  test("rejects with the error of the function, and does not queue the deltas again", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    fifo.replace([configMap("a@1")]);
    const failing = fifo.pop(() => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect([fifo.size, fifo.hasSynced]).toEqual([0, true]);
  });

  test("an aborted wait returns false and takes no key", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    const ended = new AbortController();
    const waiting = [fifo.pop(() => {}, ended), fifo.pop(() => {}, ended)];
    fifo.add(configMap("a@1"));
    ended.abort(new Error("stopped"));
    expect(await Promise.all(waiting)).toEqual([false, false]);
    expect(await fifo.pop(() => {}, ended)).toBe(false);
    expect(await poppedFrom(fifo)).toEqual(["home/a: added a@1"]);
  });

  test("an aborted caller keeps the others in order", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    const [running, ended] = [deferred(), new AbortController()];
    for (const each of ["a@1", "b@2"]) fifo.add(configMap(each));
    const first = fifo.pop(() => running.promise);
    const aborted = fifo.pop(() => {}, ended);
    const last = fifo.pop(() => {});
    ended.abort(new Error("stopped"));
    expect([await aborted, await stateOf(last)]).toEqual([false, "pending"]);
    running.resolve();
    expect(await Promise.all([first, last])).toEqual([true, true]);
  });
});

describe("RequeueError", () => {
  test("queues the deltas again, at the end", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    for (const each of ["a@1", "b@2"]) fifo.add(configMap(each));
    const popped = await fifo.pop(() => {
      throw new RequeueError();
    });
    expect([popped, await poppedFrom(fifo)]).toEqual([true, ["home/b: added b@2", "home/a: added a@1"]]);
  });

  test("its cause is what pop rejects with", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    fifo.add(configMap("a@1"));
    const cause = new Error("conflict");
    const popping = fifo.pop(() => {
      throw new RequeueError(cause);
    });
    await expect(popping).rejects.toBe(cause);
    expect([fifo.size, fifo.backlog]).toEqual([1, 1]);
  });

  test("queues the deltas before those that were queued meanwhile", async () => {
    const fifo = fifoOver("a@1");
    fifo.delete(configMap("a@2"));
    await fifo.pop(() => {
      fifo.add(configMap("a@3"));
      fifo.add(configMap("b@4"));
      throw new RequeueError();
    });
    expect([fifo.keys(), fifo.backlog]).toEqual([["home/a", "home/b"], 3]);
    expect(await poppedFrom(fifo)).toEqual(["home/a: deleted a@2, added a@3", "home/b: added b@4"]);
  });
});

test("addIfNotPresent queues deltas of a key that is not queued", async () => {
  const fifo = new DeltaFifo<ConfigMap>();
  fifo.addIfNotPresent("home/a", [{ type: "added", object: configMap("a@1") }]);
  fifo.addIfNotPresent("home/a", [{ type: "updated", object: configMap("a@2") }]);
  expect([await poppedFrom(fifo), fifo.hasSynced]).toEqual([["home/a: added a@1"], true]);
});

describe("hasSynced", () => {
  test("is false until the first list and its deletes have been processed, each flagged as initial", async () => {
    const fifo = fifoOver("gone@1");
    fifo.replace([configMap("a@2"), configMap("b@2")]);
    fifo.add(configMap("later@3"));
    const states: unknown[] = [];
    while (fifo.size > 0) {
      await fifo.pop((key, _, { initial }) => states.push([key, initial, fifo.hasSynced]));
    }
    expect(states).toEqual([
      ["home/a", true, false],
      ["home/b", true, false],
      ["home/gone", true, false],
      ["home/later", false, true],
    ]);
    expect(await stateOf(fifo.synced)).toBe("resolved");
  });

  test("is true at once after an empty first list, or if the first write was not a list", () => {
    const writes: ((fifo: DeltaFifo<ConfigMap>) => void)[] = [
      (fifo) => fifo.replace([]),
      (fifo) => fifo.add(configMap("a@1")),
      (fifo) => fifo.update(configMap("a@1")),
      (fifo) => fifo.delete(configMap("a@1")),
    ];
    const synced = writes.map((write) => {
      const fifo = new DeltaFifo<ConfigMap>();
      write(fifo);
      return fifo.hasSynced;
    });
    expect([new DeltaFifo().hasSynced, synced]).toEqual([false, [true, true, true, true]]);
  });

  test("waits for a key that was requeued", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    fifo.replace([configMap("a@1")]);
    await fifo.pop(() => {
      throw new RequeueError();
    });
    expect(fifo.hasSynced).toBe(false);
    expect([await poppedFrom(fifo), fifo.hasSynced]).toEqual([["initial home/a: replaced a@1"], true]);
  });
});

describe("close", () => {
  test("accepts nothing more, lets queued keys be popped, and then pop returns false", async () => {
    const fifo = fifoOver("known@1");
    fifo.add(configMap("a@1"));
    fifo.close();
    fifo.close();
    fifo.add(configMap("b@2"));
    fifo.replace([]);
    fifo.resync();
    fifo.addIfNotPresent("home/c", [{ type: "added", object: configMap("c@2") }]);
    expect(await poppedFrom(fifo)).toEqual(["home/a: added a@1"]);
    expect(await fifo.pop(() => {})).toBe(false);
  });

  test("ends a wait, and rejects synced", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    const popping = fifo.pop(() => {});
    const synced = stateOf(fifo.synced);
    fifo.close();
    expect(await popping).toBe(false);
    expect(await synced).toEqual(new Error("delta FIFO closed before its first list was processed"));
  });
});

describe("back-pressure", () => {
  test("whenDrained calls back once everything queued has been processed", async () => {
    const fifo = new DeltaFifo<ConfigMap>();
    const calls: string[] = [];
    fifo.whenDrained(() => calls.push("empty"));
    for (const each of ["a@1", "a@2", "b@3"]) fifo.update(configMap(each));
    fifo.whenDrained(() => calls.push("drained"));
    await fifo.pop(() => calls.push("a"));
    await fifo.pop(() => calls.push("b"));
    expect(calls).toEqual(["empty", "a", "b", "drained"]);
  });

  test("a closed queue has no backlog", () => {
    const fifo = new DeltaFifo<ConfigMap>();
    const calls: string[] = [];
    fifo.add(configMap("a@1"));
    fifo.whenDrained(() => calls.push("drained"));
    fifo.close();
    expect([fifo.backlog, calls]).toEqual([0, ["drained"]]);
  });
});
