import { expect, test } from "vitest";
import { keyText, type ObjectKey } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { Controlled } from "./controlled.fixture.ts";
import { type Channel, type Context, type Controller, channel, controller } from "./index.ts";

/** A controller whose only trigger is the channel. It logs its reasons. */
function listening(
  by: Channel,
  log: string[],
  more: { readonly name?: string; readonly quietMs?: number } = {},
): Controller {
  const { name = "only", quietMs } = more;
  const reconcile = async (key: ObjectKey, { reasons }: Context): Promise<void> => {
    log.push(`${name} ${keyText(key)}: ${reasons.map(({ event, key: of }) => `${event} ${of}`).join(", ")}`);
  };
  const debounce = quietMs === undefined ? undefined : { quietMs, maxMs: 10 * quietMs };
  return controller({ for: ConfigMap, name, when: () => false, on: [by], debounce, reconcile });
}

test("a pushed key is reconciled by every controller that listens", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const kicks = channel();
  await world.run(listening(kicks, log, { name: "one" }), listening(kicks, log, { name: "two" }));
  expect(kicks.push("default/a")).toBe(true);
  expect(kicks.push({ namespace: "other", name: "b" })).toBe(true);
  await world.settle();
  expect(log.sort()).toEqual([
    "one default/a: external default/a",
    "one other/b: external other/b",
    "two default/a: external default/a",
    "two other/b: external other/b",
  ]);
});

test("keys pushed before the first listener are buffered, each once, up to the limit", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const kicks = channel({ limit: 2 });
  expect(["x/a", "x/b", "x/a", "x/c"].map((key) => kicks.push(key))).toEqual([true, true, true, false]);
  await world.run(listening(kicks, log, { name: "one" }), listening(kicks, log, { name: "two" }));
  expect(log.sort()).toEqual([
    "one x/a: external x/a",
    "one x/b: external x/b",
    "two x/a: external x/a",
    "two x/b: external x/b",
  ]);
});

test("the limit applies to buffered keys: a listener receives any number of keys", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const kicks = channel({ limit: 1 });
  await world.run(listening(kicks, log));
  expect(Array.from({ length: 100 }, (_, at) => kicks.push(`x/${at}`)).every(Boolean)).toBe(true);
  await world.settle();
  expect(log.length).toBe(100);
});

test("a channel closes when its last listener stops", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const kicks = channel();
  await world.run(listening(kicks, log));
  await world.stop();
  expect(kicks.push("x/a")).toBe(false);
  expect(log).toEqual([]);
});

test("a key with and without the default namespace is the same key", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const kicks = channel();
  for (const key of ["a", "default/a", { name: "a" }]) kicks.push(key);
  await world.run(listening(kicks, log, { quietMs: 1 }));
  await world.clock.advance(1);
  expect(log).toEqual(["only default/a: external default/a"]);
});

test("pushed keys are debounced", async () => {
  await using world = await Controlled.start();
  const log: string[] = [];
  const kicks = channel();
  await world.run(listening(kicks, log, { quietMs: 100 }));
  kicks.push("x/a");
  await world.clock.advance(60);
  kicks.push("x/a");
  await world.clock.advance(60);
  expect(log).toEqual([]);
  await world.clock.advance(100);
  expect(log).toEqual(["only x/a: external x/a"]);
});

test("push throws for an invalid key", () => {
  const kicks = channel();
  expect(() => kicks.push("a/b/c")).toThrow(
    'expected an object key like "name" or "namespace/name", got "a/b/c"',
  );
  expect(() => kicks.push({ name: "" })).toThrow("expected an object key");
  expect(() => channel({ limit: 0 })).toThrow("expected a limit of at least 1, got 0");
});
