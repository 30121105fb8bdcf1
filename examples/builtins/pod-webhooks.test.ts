import type { New } from "trimtab/api";
import type { Pod } from "trimtab/api/core/v1";
import { startCluster } from "trimtab/testing";
import { review } from "trimtab/webhook";
import { expect, test } from "vitest";
import { podWebhookSuite } from "./pod-webhooks.contract.ts";
import { podAnnotator, podValidator } from "./pod-webhooks.ts";

const annotation = "example-mutating-admission-webhook";
const spec = { containers: [{ name: "web", image: "nginx:1.29" }] };

function podWith(annotations?: Record<string, string>): New<Pod> {
  return { metadata: { name: "web", namespace: "default", ...(annotations && { annotations }) }, spec };
}

test("the mutating webhook adds its annotation and keeps the others", async () => {
  expect((await review(podAnnotator, { object: podWith() })).object).toEqual({
    apiVersion: "v1",
    kind: "Pod",
    ...podWith({ [annotation]: "foo" }),
  });
  const { object } = await review(podAnnotator, { object: podWith({ team: "shop", [annotation]: "bar" }) });
  expect(object?.metadata.annotations).toEqual({ team: "shop", [annotation]: "foo" });
});

test.each([
  [undefined, "is required"],
  [{ [annotation]: "bar" }, 'must be "foo", got "bar"'],
])("the validating webhook denies a Pod with the annotations %j", async (annotations, message) => {
  const { allowed, status } = await review(podValidator, { object: podWith(annotations) });
  const field = `metadata.annotations[${annotation}]`;
  expect([allowed, status]).toEqual([
    false,
    {
      metadata: {},
      status: "Failure",
      message: `${field}: ${message}`,
      reason: "Forbidden",
      details: { causes: [{ reason: "FieldValueInvalid", message, field }] },
      code: 403,
    },
  ]);
});

test("the validating webhook allows a Pod with the annotation", async () => {
  expect(await review(podValidator, { object: podWith({ [annotation]: "foo" }) })).toMatchObject({
    allowed: true,
    status: undefined,
  });
});

podWebhookSuite(() => startCluster());
