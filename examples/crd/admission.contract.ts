import { Pod } from "trimtab/api/core/v1";
import type { Cluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { chaosPodAdmission } from "./admission.ts";
import { ChaosPod, chaosPods } from "./chaos-pod.ts";

const past = "2025-12-31T23:59:59.000Z";

/** Tests of the webhook through an API server. @param start Starts a cluster with the kind, which the test closes. */
export function admissionSuite(start: () => Promise<Cluster>): void {
  test("the API server calls the webhook while the controller runs", async () => {
    await using cluster = await start();
    const { client } = cluster;
    await cluster.run({ controllers: [chaosPods()], webhooks: [chaosPodAdmission()] });
    const made = await client.create(ChaosPod, {
      metadata: { name: "monkey" },
      spec: { image: "nginx:1.29", everySeconds: 3600 },
    });
    expect(made.spec.nextStop).toBeDefined();
    await cluster.eventually(async () => expect(await client.get(Pod, "monkey")).toBeDefined());
    const error: unknown = await client
      .patch(ChaosPod, "monkey", { merge: { spec: { nextStop: past } } })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 422,
      reason: "Invalid",
      message: expect.stringContaining(
        `admission webhook "validate.chaospods.chaosapps.metamagical.dev" denied the request: spec.nextStop: must be in the future, got ${past}`,
      ),
    });
    expect((await client.get(ChaosPod, "monkey"))?.spec.nextStop).toBe(made.spec.nextStop);
  });
}
