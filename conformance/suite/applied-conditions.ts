/** Conditions that `applyStatus` completes, and fields of a status that `patchStatus` changes. */
import { conditionOf, ready } from "trimtab/api";
import { Deployment } from "trimtab/api/apps/v1";
import { scenario } from "../scenario.ts";
import { web } from "../web.ts";

const longAgo = "2020-01-01T00:00:00Z";

scenario("an applied condition keeps its time until its status changes", async ({ client, expect }) => {
  await client.create(Deployment, web());
  const first = { ...ready(true, "Up"), lastTransitionTime: longAgo };
  await client.applyStatus(Deployment, "web", { conditions: [first] });
  const kept = await client.applyStatus(Deployment, "web", { conditions: [ready(true, "StillUp")] });
  expect(conditionOf(kept.status?.conditions, "Ready")).toMatchObject({
    status: "True",
    reason: "StillUp",
    lastTransitionTime: longAgo,
  });
  const flipped = await client.applyStatus(Deployment, "web", { conditions: [ready(false, "Down")] });
  const now = conditionOf(flipped.status?.conditions, "Ready");
  expect([now?.status, now?.lastTransitionTime === longAgo]).toEqual(["False", false]);
});

scenario(
  "conditions of other field managers stay when a condition is applied",
  async ({ client, expect }) => {
    await client.create(Deployment, web());
    const available = { type: "Available", status: "True", reason: "Up", message: "" } as const;
    await client.applyStatus(Deployment, "web", { conditions: [available] }, { fieldManager: "other" });
    const { status } = await client.applyStatus(Deployment, "web", { conditions: [ready(true, "Up")] });
    expect(status?.conditions?.map(({ type }) => type).sort()).toEqual(["Available", "Ready"]);
  },
);

scenario("patchStatus keeps the fields that applyStatus removes", async ({ client, expect }) => {
  await client.create(Deployment, web());
  await client.applyStatus(Deployment, "web", { replicas: 2, readyReplicas: 1 });
  const patched = await client.patchStatus(Deployment, "web", { readyReplicas: 2 });
  expect(patched.status).toEqual({ replicas: 2, readyReplicas: 2 });
  const applied = await client.applyStatus(Deployment, "web", { replicas: 2 });
  expect(applied.status).toEqual({ replicas: 2, readyReplicas: 2 }); // the patch owns it now
  await client.patchStatus(Deployment, "web", { readyReplicas: null } as never);
  expect((await client.get(Deployment, "web"))?.status).toEqual({ replicas: 2 });
});
