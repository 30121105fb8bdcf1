import { expect, test } from "vitest";
import { conditionOf, ready } from "../api/index.ts";
import { Deployment } from "../api/types/apps/v1.ts";
import { Controlled } from "./controlled.fixture.ts";
import { controller, specOrMetadataChanged } from "./index.ts";

test("conditions that a reconcile applies keep their time, without a read of the object", async () => {
  await using world = await Controlled.start();
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } };
  const spec = { selector: { matchLabels: labels }, template };
  await world.live.create(Deployment, { metadata: { name: "a" }, spec });
  const times: (string | undefined)[] = [];
  const web = controller({
    name: "web",
    for: Deployment,
    when: specOrMetadataChanged,
    async reconcile(key, { client }) {
      const conditions = [ready(true, times.length === 0 ? "First" : "Second")];
      const { status } = await client.applyStatus(Deployment, key, { conditions });
      times.push(conditionOf(status?.conditions, "Ready")?.lastTransitionTime);
    },
  });
  await world.run(web);
  await world.clock.advance(60_000);
  await world.live.patch(Deployment, "a", { merge: { metadata: { annotations: { again: "yes" } } } });
  await world.clock.advance(60_000);
  expect(times).toEqual(["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"]);
});
