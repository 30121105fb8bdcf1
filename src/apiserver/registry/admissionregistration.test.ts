import { expect, test } from "vitest";
import { testServer } from "../requests.fixture.ts";

const path = "/apis/admissionregistration.k8s.io/v1";

test("match conditions of webhooks and admission policies are stored with a warning that they have no effect", async () => {
  using api = testServer();
  const webhook = {
    name: "a.example.dev",
    clientConfig: { url: "https://example.dev/" },
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    matchConditions: [{ name: "always", expression: "true" }],
  };
  const responses = await Promise.all([
    api.send("POST", `${path}/validatingwebhookconfigurations`, {
      body: { metadata: { name: "a" }, webhooks: [webhook] },
    }),
    api.send("POST", `${path}/validatingadmissionpolicies`, {
      body: {
        metadata: { name: "a" },
        spec: {
          validations: [{ expression: "true" }],
          matchConstraints: {
            resourceRules: [
              { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] },
            ],
          },
        },
      },
    }),
  ]);
  expect(responses.map(({ code, headers }) => [code, headers.warning])).toEqual([
    [
      201,
      [
        '299 - "webhooks[0].matchConditions: this server does not evaluate match conditions, and calls the webhook without them"',
      ],
    ],
    [201, ['299 - "this server stores admission policies but does not evaluate them"']],
  ]);
});
