import { expect, test } from "vitest";
import { keyText } from "../api/index.ts";
import { ConfigMap } from "../api/types/core/v1.ts";
import { channel, controller } from "../controller/index.ts";
import { Managed } from "./managed.fixture.ts";

test("keys pushed before the manager runs are reconciled, and keys pushed after its end are refused", async () => {
  await using world = await Managed.start();
  const log: string[] = [];
  const kicks = channel();
  const maps = controller({
    name: "configmap",
    for: ConfigMap,
    on: [kicks],
    reconcile: async (key) => void log.push(keyText(key)),
  });
  expect(kicks.push("early")).toBe(true);
  await world.run([maps], { leaderElection: { name: "one" } });
  expect(kicks.push("late")).toBe(true);
  await world.settle();
  expect(log).toEqual(["default/early", "default/late"]);
  expect(await world.end()).toBe("over");
  expect(kicks.push("too-late")).toBe(false);
});
