import type { Client } from "trimtab/client";
import { scenario } from "../scenario.ts";
import { statusMessage, type WireAnswer, wire } from "../wire.ts";

const path = "/apis/authorization.k8s.io/v1";
const pods = { verb: "get", resource: "pods" };
const master = { user: "someone", groups: ["system:masters"] };

function review(client: Client, kind: string, body: object): Promise<WireAnswer> {
  return wire(client, `POST ${path}/${kind}`, { body });
}

scenario(
  "an administrator is allowed everything by every access review",
  async ({ client, namespace, expect }) => {
    const responses = [
      await review(client, "selfsubjectaccessreviews", { spec: { resourceAttributes: pods } }),
      await review(client, "selfsubjectaccessreviews", {
        spec: { nonResourceAttributes: { path: "/", verb: "get" } },
      }),
      await review(client, "subjectaccessreviews", { spec: { ...master, resourceAttributes: pods } }),
      await review(client, `namespaces/${namespace}/localsubjectaccessreviews`, {
        metadata: { namespace },
        spec: { ...master, resourceAttributes: { ...pods, namespace } },
      }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const allowed = responses.map(({ body }) => (body as { status: { allowed: boolean } }).status.allowed);
    expect(allowed).toEqual([true, true, true, true]);
  },
);

scenario(
  "an access review needs exactly one subject of the question and a user",
  async ({ client, expect }) => {
    expect(statusMessage(await review(client, "selfsubjectaccessreviews", { spec: {} }))).toEqual([
      422,
      '.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ]);
    expect(
      statusMessage(await review(client, "subjectaccessreviews", { spec: { resourceAttributes: pods } })),
    ).toEqual([
      422,
      '.authorization.k8s.io "" is invalid: spec.user: Invalid value: "": at least one of user or group must be specified',
    ]);
  },
);

scenario(
  "a rules review of an administrator lists all permissions",
  async ({ client, namespace, expect }) => {
    const { status, body } = await review(client, "selfsubjectrulesreviews", { spec: { namespace } });
    const { resourceRules, nonResourceRules } = (
      body as { status: { resourceRules: unknown; nonResourceRules: unknown } }
    ).status;
    expect(status).toBe(201);
    expect(resourceRules).toContainEqual({ verbs: ["*"], apiGroups: ["*"], resources: ["*"] });
    expect(nonResourceRules).toContainEqual({ verbs: ["*"], nonResourceURLs: ["*"] });
  },
);

scenario("a SelfSubjectReview returns the caller's identity", async ({ client, expect }) => {
  const { status, body } = await wire(client, "POST /apis/authentication.k8s.io/v1/selfsubjectreviews", {
    body: {},
  });
  const { groups } = (body as { status: { userInfo: { groups: string[] } } }).status.userInfo;
  expect([status, groups]).toEqual([201, expect.arrayContaining(["system:masters", "system:authenticated"])]);
});
