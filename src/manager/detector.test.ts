import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { type LogEntry, loggerTo } from "../base/index.ts";
import { type Controller, controller } from "../controller/index.ts";
import { manager } from "./index.ts";
import { Managed } from "./managed.fixture.ts";

/** Writes another value each time it is asked, and is asked by that. */
function restless(): Controller {
  let turn = 0;
  return controller({
    name: "configmap",
    for: ConfigMap,
    async reconcile(key, { client }) {
      turn += 1;
      if (turn <= 12) await client.patch(ConfigMap, key, { merge: { data: { turn: `${turn}` } } });
    },
  });
}

test.each([
  ["on by itself", undefined, [10]],
  ["off where nobody wants it", false as const, []],
  ["with the limit that is set", { loops: 4 }, [4]],
])("a detector of loops is %s", async (_, detector, told) => {
  await using world = await Managed.start();
  const entries: LogEntry[] = [];
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const log = loggerTo((entry) => entries.push(entry));
  await world.run([restless()], { detector, log });
  await world.clock.advance(0);
  const times = entries.filter(({ level }) => level === "warn").map(({ fields }) => fields.times);
  expect(times).toEqual(told);
});

test("a limit that makes no sense is refused", () => {
  expect(() => manager({ controllers: [], detector: { loops: 0 } })).toThrow(
    "expected loops of more than 0, got 0",
  );
});
