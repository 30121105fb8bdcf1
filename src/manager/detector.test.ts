import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { type LogEntry, loggerTo } from "../base/index.ts";
import { type Controller, controller } from "../controller/index.ts";
import { manager } from "./index.ts";
import { Managed } from "./managed.fixture.ts";

/** Writes another value in each reconcile, which triggers the next one. */
function looping(): Controller {
  let round = 0;
  return controller({
    name: "configmap",
    for: ConfigMap,
    async reconcile(key, { client }) {
      round += 1;
      if (round <= 12) await client.patch(ConfigMap, key, { merge: { data: { round: `${round}` } } });
    },
  });
}

test.each([
  ["on by default", undefined, [10]],
  ["off if disabled", false as const, []],
  ["on with the given limit", { loops: 4 }, [4]],
])("the loop detector is %s", async (_, detector, reported) => {
  await using world = await Managed.start();
  const entries: LogEntry[] = [];
  await world.cluster.client.create(ConfigMap, { metadata: { name: "a" } });
  const log = loggerTo((entry) => entries.push(entry));
  await world.run([looping()], { detector, log });
  await world.clock.advance(0);
  const times = entries.filter(({ level }) => level === "warn").map(({ fields }) => fields.times);
  expect(times).toEqual(reported);
});

test("an invalid limit is refused", () => {
  expect(() => manager({ controllers: [], detector: { loops: 0 } })).toThrow(
    "expected loops of more than 0, got 0",
  );
});
