/** Behaviour of writes that operators rely on, beyond the single verbs. */
import { type KubeObject, kind, metadataOnly } from "trimtab/api";
import { Deployment } from "trimtab/api/apps/v1";
import { CertificateSigningRequest } from "trimtab/api/certificates/v1";
import { ConfigMap } from "trimtab/api/core/v1";
import { refusal } from "../refusal.ts";
import { scenario } from "../scenario.ts";
import { web } from "../web.ts";

const finalizers = ["example.dev/hold"];

scenario("a status applied with an old resourceVersion is a conflict", async ({ client, expect }) => {
  const stale = await client.create(Deployment, web());
  await client.patch(Deployment, "web", { merge: { spec: { replicas: 2 } } });
  const { resourceVersion } = stale.metadata;
  const draft = { metadata: { name: "web", resourceVersion }, status: { replicas: 1 } };
  expect(await refusal(client.apply(Deployment, draft, { subresource: "status" }))).toMatchObject({
    code: 409,
    reason: "Conflict",
  });
});

scenario("a delete without preconditions deletes a changed object", async ({ client, expect }) => {
  const stale = await client.create(ConfigMap, { metadata: { name: "a" } });
  await client.patch(ConfigMap, "a", { merge: { data: { key: "1" } } });
  await client.delete(ConfigMap, stale);
  expect(await client.get(ConfigMap, "a")).toBeUndefined();
});

scenario("removing the last finalizer by an update deletes the object", async ({ client, expect }) => {
  await client.create(ConfigMap, { metadata: { name: "a", finalizers } });
  await client.delete(ConfigMap, "a");
  const held = await client.get(ConfigMap, "a");
  if (!held) throw new Error("expected it to be held, got nothing");
  await client.update(ConfigMap, { ...held, metadata: { ...held.metadata, finalizers: [] } });
  expect(await client.get(ConfigMap, "a")).toBeUndefined();
});

scenario("removing the last finalizer by an apply deletes the object", async (stage) => {
  const { client, expect } = stage;
  await client.apply(ConfigMap, { metadata: { name: "a", finalizers } });
  await client.delete(ConfigMap, "a");
  expect((await client.get(ConfigMap, "a"))?.metadata.finalizers).toEqual(finalizers);
  await client.apply(ConfigMap, { metadata: { name: "a" } });
  expect(await client.get(ConfigMap, "a")).toBeUndefined();
});

scenario(
  "a collection delete keeps objects with finalizers until these are removed",
  async ({ client, expect }) => {
    await client.create(ConfigMap, { metadata: { name: "held", finalizers } });
    await client.create(ConfigMap, { metadata: { name: "free" } });
    await client.deleteAll(ConfigMap, {});
    const left = await client.list(ConfigMap);
    expect(left.map(({ metadata }) => [metadata.name, typeof metadata.deletionTimestamp])).toEqual([
      ["held", "string"],
    ]);
    await client.patch(ConfigMap, "held", { merge: { metadata: { finalizers: null } } });
    expect(await client.list(ConfigMap)).toEqual([]);
  },
);

scenario(
  "a patch of a Deployment's status can set annotations, and no labels",
  async ({ client, expect }) => {
    await client.create(Deployment, web());
    const merge = {
      metadata: { annotations: { seen: "yes" }, labels: { seen: "yes" } },
      status: { replicas: 1 },
    };
    const { metadata, status } = await client.patch(Deployment, "web", { merge }, { subresource: "status" });
    expect([metadata.annotations, metadata.labels, status]).toEqual([
      { seen: "yes" },
      undefined,
      { replicas: 1 },
    ]);
  },
);

scenario("a status can be patched as metadata only", async ({ client, expect }) => {
  await client.create(Deployment, web());
  const merge = { status: { replicas: 2 } };
  const patched = await client.patch(metadataOnly(Deployment), "web", { merge }, { subresource: "status" });
  const stored = await client.get(Deployment, "web");
  expect(patched).toEqual({
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: stored?.metadata,
  });
  expect(stored?.status).toEqual({ replicas: 2 });
});

scenario("a built-in kind given by its name only is the same kind", async ({ client, expect }) => {
  const Named = kind<KubeObject & Pick<ConfigMap, "data">>({ group: "", version: "v1", kind: "ConfigMap" });
  const made = await client.create(Named, {
    metadata: { name: "a", labels: { app: "a" } },
    data: { key: "1" },
  });
  expect(await client.get(ConfigMap, "a")).toEqual(made);
  const { managedFields: _, ...metadata } = made.metadata;
  expect(await client.list(Named, { labels: { app: "a" } })).toEqual([{ ...made, metadata }]);
  await client.update(Named, { ...made, data: { key: "2" } });
  await client.patch(Named, "a", { merge: { data: { more: "3" } } });
  expect((await client.get(ConfigMap, "a"))?.data).toEqual({ key: "2", more: "3" });
  await client.delete(Named, "a");
  expect(await client.get(ConfigMap, "a")).toBeUndefined();
});

scenario(
  "concurrent applies of an absent object create it once with every manager's fields",
  async ({ client, expect }) => {
    const apply = (_: unknown, index: number) =>
      client.apply(
        ConfigMap,
        { metadata: { name: "a" }, data: { [`from-${index}`]: "1" } },
        { fieldManager: `m${index}` },
      );
    await Promise.all(Array.from({ length: 4 }, apply));
    const made = await client.get(ConfigMap, "a");
    expect(Object.keys(made?.data ?? {}).sort()).toEqual(["from-0", "from-1", "from-2", "from-3"]);
  },
);

scenario(
  "a certificate signing request is approved by an update or a patch of its approval",
  async (stage) => {
    const { client, namespace, expect } = stage;
    const spec = { request, signerName: "example.dev/none", usages: ["client auth" as const] };
    const [one, two] = [`${namespace}-one`, `${namespace}-two`];
    const conditions = [{ type: "Approved", status: "True" as const, reason: "Test", message: "fine" }];
    const subresource = "approval";
    try {
      const made = await client.create(CertificateSigningRequest, { metadata: { name: one }, spec });
      await client.create(CertificateSigningRequest, { metadata: { name: two }, spec });
      const updated = { ...made, status: { conditions } };
      const responses = [
        await client.update(CertificateSigningRequest, updated, { subresource }),
        await client.patch(
          CertificateSigningRequest,
          two,
          { merge: { status: { conditions } } },
          { subresource },
        ),
      ];
      const approved = { type: "Approved", status: "True", reason: "Test", message: "fine" };
      expect(responses.map(({ status }) => status?.conditions)).toMatchObject([[approved], [approved]]);
      expect((await client.get(CertificateSigningRequest, two))?.status?.conditions).toMatchObject([
        approved,
      ]);
    } finally {
      for (const name of [one, two]) await client.delete(CertificateSigningRequest, name);
    }
  },
);

/** A certificate request for the name "robot", with an unused key. */
const request = Buffer.from(
  [
    "-----BEGIN CERTIFICATE REQUEST-----",
    "MIHKMHICAQAwEDEOMAwGA1UEAwwFcm9ib3QwWTATBgcqhkjOPQIBBggqhkjOPQMB",
    "BwNCAAQBRDk9tJhgX0SDMlIPB8z8QpgPDcPV9HkxmkaI8EwLF8Ffukkp2rznQMsY",
    "NyjxUIukE2HJptHtejzhL3VAdHXDoAAwCgYIKoZIzj0EAwIDSAAwRQIhAOBTXzJv",
    "DFhy5Q9hnVbabI4yZSP43QBZfb0f+Zg1jpxnAiAsLI1jCTkZxrYQYWmuZUWyYLJt",
    "zWPr8iJnPuTn61YvEw==",
    "-----END CERTIFICATE REQUEST-----",
    "",
  ].join("\n"),
).toString("base64");
