import { expect, test } from "vitest";
import type { ObjectKey } from "../api/index.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { createLogger, prometheus, VirtualClock } from "../base/index.ts";
import { Controlled } from "./controlled.fixture.ts";
import { type Context, channel, controller, owns, poll } from "./index.ts";
import { reasonText } from "./reason.ts";

test("reasons are counted by kind and event", async () => {
  const metrics = prometheus();
  await using world = await Controlled.start({ metrics });
  const kicks = channel();
  const turns: (() => { requeueAfterMs: number })[] = [
    () => {
      throw new Error("not yet");
    },
    () => ({ requeueAfterMs: 500 }),
  ];
  const reconcile = async ({ name }: ObjectKey): Promise<{ requeueAfterMs: number } | undefined> =>
    name === "x" ? undefined : turns.shift()?.();
  const owner = await world.live.create(ConfigMap, { metadata: { name: "a" } });
  const on = [owns(Secret), kicks, poll({ everyMs: 700 })];
  await world.run(controller({ name: "configmap", for: ConfigMap, on, reconcile }));
  kicks.push("x");
  await world.live.create(Secret, { metadata: { name: "child" } }, { owner });
  await world.live.patch(ConfigMap, "a", { merge: { data: { x: "1" } } });
  await world.clock.advance(999);
  const lines = (await metrics.text()).matchAll(
    /^trimtab_reconcile_reasons_total\{controller="configmap",kind="(.*)",event="(.*)"\} (.*)$/gm,
  );
  expect(Array.from(lines, ([, kind, event, count]) => `${kind} ${event} ${count}`).sort()).toEqual([
    " external 1",
    " poll 1",
    " requeue 1",
    " retry 1",
    "ConfigMap added 1",
    "ConfigMap updated 1",
    "Secret added 1",
  ]);
});

test("log entries contain every reason in full: kind, key, event, changed fields and echo", async () => {
  await using world = await Controlled.start();
  const reconcile = async (_: ObjectKey, { client, attempt }: Context): Promise<void> => {
    const map = await client.get(ConfigMap, "a");
    if (!map?.data) await client.patch(ConfigMap, "a", { merge: { data: { x: "1" } } });
    else if (attempt === 1) throw new Error("not this time");
  };
  await world.live.create(ConfigMap, { metadata: { name: "a" } });
  await world.run(controller({ name: "configmap", for: ConfigMap, reconcile }));
  await world.clock.advance(100);
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const json = createLogger({
    level: "debug",
    readable: false,
    stream: { write },
    clock: new VirtualClock(),
  });
  for (const { level, message, fields } of world.logged) json[level](message, fields);
  const entries = lines.map(
    (line) => JSON.parse(line) as Record<"msg" | "reasons" | "attempt" | "retryInMs", unknown>,
  );
  const own = { kind: "ConfigMap", key: "default/a", event: "updated", changed: ["data"], echo: true };
  expect(
    entries.map(({ msg, reasons, attempt, retryInMs }) => ({ msg, reasons, attempt, retryInMs })),
  ).toEqual([
    {
      msg: "reconciled",
      reasons: [{ kind: "ConfigMap", key: "default/a", event: "added", changed: [], echo: false }],
      attempt: 1,
    },
    { msg: "reconcile failed", reasons: [own], attempt: 1, retryInMs: 5 },
    {
      msg: "reconciled",
      reasons: [{ kind: "", key: "default/a", event: "retry", changed: [], echo: false }],
      attempt: 2,
    },
  ]);
});

test.each([
  [{ event: "added" as const }, "added Pod a/b"],
  [{ event: "updated" as const, changed: ["spec.x", "data"] }, "updated Pod a/b: spec.x, data"],
  [{ event: "updated" as const, changed: ["data"], echo: true }, "updated Pod a/b: data (own write)"],
  [{ event: "retry" as const, kind: "" }, "retry"],
])("reasonText of %j", (reason, text) => {
  expect(reasonText({ kind: "Pod", key: "a/b", changed: [], echo: false, ...reason })).toBe(text);
});
