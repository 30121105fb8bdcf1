import { expect, test } from "vitest";
import type { ObjectKey } from "../api/index.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { createLogger, VirtualClock } from "../base/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { type Context, controller, owns } from "./index.ts";

const metadata = { name: "a" };

/** Creates and patches a Secret, and changes nothing when it runs again. */
async function reconcile(key: ObjectKey, { client }: Context): Promise<void> {
  const owner = await client.get(ConfigMap, key);
  if (!owner) return;
  await client.apply(Secret, { metadata: key, stringData: { word: "x" } }, { owner, dryRun: true });
  await client.apply(Secret, { metadata: key, type: "Opaque" }, { owner });
  await client.patch(Secret, key, { merge: { metadata: { labels: { app: "a" } } } });
}

const copies = controller({ name: "copies", for: ConfigMap, on: [owns(Secret)], reconcile });

test("a reconcile is one line: at info with its changes if it changed something, at debug otherwise", async () => {
  await using world = await Controlled.start();
  await world.live.create(ConfigMap, { metadata });
  await world.run(copies);
  const lines = world.logged.filter(({ fields }) => fields.reconcileId !== undefined);
  const common = { controller: "copies", key: "default/a", attempt: 1, durationMs: 0 };
  const own = { kind: "Secret", key: "default/a", changed: [], echo: true };
  expect(
    lines.map(({ level, message, fields: { reconcileId: _, ...fields } }) => [level, message, fields]),
  ).toEqual([
    [
      "info",
      "reconciled",
      {
        ...common,
        reasons: [{ kind: "ConfigMap", key: "default/a", event: "added", changed: [], echo: false }],
        reasonCount: 1,
        changes: ["apply Secret default/a", "patch Secret default/a"],
      },
    ],
    [
      "debug",
      "reconciled",
      {
        ...common,
        reasons: [
          { ...own, event: "added" },
          { ...own, event: "updated", changed: ["metadata.labels"] },
        ],
        reasonCount: 2,
        changes: [],
      },
    ],
  ]);
});

test("the line of a reconcile that is requeued has its delay, and that of a failed one its changes", async () => {
  await using world = await Controlled.start();
  await world.live.create(ConfigMap, { metadata });
  const fails = controller({
    name: "fails",
    for: ConfigMap,
    async reconcile(key, { client, attempt }) {
      if (attempt > 1) return { requeueAfterMs: 60_000 };
      await client.create(Secret, { metadata: key });
      throw new Error("not this time");
    },
  });
  await world.run(fails);
  await world.clock.advance(100);
  const lines = world.logged.filter(({ fields }) => fields.reconcileId !== undefined);
  expect(
    lines.map(({ level, message, fields: { changes, requeueAfterMs } }) => [
      level,
      message,
      changes,
      requeueAfterMs,
    ]),
  ).toEqual([
    ["error", "reconcile failed", ["create Secret default/a"], undefined],
    ["debug", "reconciled", [], 60_000],
  ]);
});

test("the reasons are words in a readable line, and objects in JSON", async () => {
  await using world = await Controlled.start();
  await world.live.create(ConfigMap, { metadata });
  await world.run(copies);
  const [entry] = world.logged.filter(({ message, level }) => message === "reconciled" && level === "debug");
  const written: string[] = [];
  const stream = { write: (line: string): void => void written.push(line) };
  for (const readable of [true, false]) {
    const log = createLogger({ level: "debug", stream, readable, clock: new VirtualClock() });
    log.debug("reconciled", { reasons: entry?.fields.reasons });
  }
  const [line = "", json = ""] = written;
  expect(line).toContain(
    'reconciled  reasons="added Secret default/a (own write); updated Secret default/a: metadata.labels (own write)"',
  );
  expect((JSON.parse(json) as { readonly reasons: unknown }).reasons).toEqual(entry?.fields.reasons);
});

test("a write that changed nothing is no change, for objects that are not cached too", async () => {
  await using world = await Controlled.start();
  await world.live.create(ConfigMap, { metadata });
  const writes = controller({
    name: "writes",
    for: ConfigMap,
    async reconcile(key, { client }) {
      const labelled = { metadata: { ...key, labels: { app: "a" } } };
      for (let times = 0; times < 2; times += 1) await client.apply(Secret, labelled);
      await client.delete(Secret, key);
      await client.delete(Secret, key);
    },
  });
  await world.run(writes);
  const [line] = world.logged.filter(({ message }) => message === "reconciled");
  expect(line?.fields.changes).toEqual(["apply Secret default/a", "delete Secret default/a"]);
});
