import { expect, test } from "vitest";
import { testServer } from "../requests.fixture.ts";

const path = "/apis/admissionregistration.k8s.io/v1";

test("creating a webhook configuration or an admission policy returns a warning that it has no effect", async () => {
  using api = testServer();
  const webhook = {
    name: "a.example.dev",
    clientConfig: { url: "https://example.dev/" },
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
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
    [201, ['299 - "this server stores webhook configurations but calls no webhook"']],
    [201, ['299 - "this server stores admission policies but does not evaluate them"']],
  ]);
});
