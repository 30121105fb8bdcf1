import { startCluster } from "trimtab/testing";
import { review } from "trimtab/webhook";
import { expect, test } from "vitest";
import { admissionSuite } from "./admission.contract.ts";
import { chaosPodAdmission } from "./admission.ts";
import { ChaosPod } from "./chaos-pod.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const admission = chaosPodAdmission(() => now);
const past = "2025-12-31T23:59:59.000Z";
const future = "2026-01-01T00:00:01.000Z";

function chaosPod(spec: Partial<ChaosPod["spec"]> = {}): ChaosPod {
  return {
    apiVersion: "chaosapps.metamagical.dev/v1",
    kind: "ChaosPod",
    metadata: {
      name: "monkey",
      namespace: "default",
      uid: "u1",
      resourceVersion: "1",
      creationTimestamp: "",
    },
    spec: { image: "nginx:1.29", everySeconds: 60, ...spec },
  };
}

test("the first stop is one interval from now", async () => {
  const { object } = await review(admission, { object: chaosPod() });
  expect(object).toEqual(chaosPod({ nextStop: "2026-01-01T00:01:00.000Z" }));
});

test("a given stop is kept", async () => {
  const { object } = await review(admission, { object: chaosPod({ nextStop: future }) });
  expect(object).toEqual(chaosPod({ nextStop: future }));
});

test("a stop in the past is denied, for a new ChaosPod and for a change", async () => {
  const object = chaosPod({ nextStop: past });
  const previous = chaosPod({ nextStop: future });
  const reviews = [await review(admission, { object }), await review(admission, { object, previous })];
  const message = `must be in the future, got ${past}`;
  const status = {
    metadata: {},
    status: "Failure",
    message: `spec.nextStop: ${message}`,
    reason: "Invalid",
    details: { causes: [{ reason: "FieldValueInvalid", message, field: "spec.nextStop" }] },
    code: 422,
  };
  expect(reviews.map((each) => each.status)).toEqual([status, status]);
});

test("a ChaosPod whose stop is due can be changed in other ways", async () => {
  const previous = chaosPod({ nextStop: past });
  const object = chaosPod({ nextStop: past, image: "nginx:1.30" });
  expect(await review(admission, { object, previous })).toMatchObject({ allowed: true, warnings: [] });
});

test("a short interval is allowed with a warning", async () => {
  expect(await review(admission, { object: chaosPod({ everySeconds: 2 }) })).toMatchObject({
    allowed: true,
    warnings: ["spec.everySeconds: the Pod restarts every 2 seconds"],
  });
});

admissionSuite(() => startCluster({ kinds: [ChaosPod] }));
