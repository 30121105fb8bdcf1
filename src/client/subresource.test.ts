import { expect, test } from "vitest";
import { kind } from "../api/index.ts";
import { Deployment } from "../api/types/apps/v1.ts";
import { Pod, ServiceAccount } from "../api/types/core/v1.ts";
import { connected } from "./connected.fixture.ts";

const scalePath = "/apis/apps/v1/namespaces/home/deployments/web/scale";
const metadata = { name: "web", namespace: "home" };
const scale = { apiVersion: "autoscaling/v1", kind: "Scale" } as const;

test("get reads a scale", async () => {
  const { client, transport } = connected({ body: { spec: { replicas: 2 } } });
  expect(await client.subresource(Deployment, "web", "scale").get()).toEqual({ spec: { replicas: 2 } });
  expect(transport.lines).toEqual([`GET ${scalePath}`]);
});

test("update sends the scale unchanged", async () => {
  const { client, transport } = connected({});
  const body = {
    ...scale,
    metadata: { ...metadata, uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: { replicas: 2 },
  };
  await client.subresource(Deployment, "web", "scale").update(body, { dryRun: true });
  expect(transport.lines).toEqual([`PUT ${scalePath}?dryRun=All&fieldManager=trimtab`]);
  expect(transport.sent).toEqual(body);
});

test("patch sends a patch of the scale", async () => {
  const { client, transport } = connected({});
  await client.subresource(Deployment, "web", "scale").patch({ merge: { spec: { replicas: 2 } } });
  expect(transport.lines).toEqual([`PATCH ${scalePath}?fieldManager=trimtab`]);
  expect(transport.requests[0]).toMatchObject({
    headers: { "content-type": "application/merge-patch+json" },
    body: '{"spec":{"replicas":2}}',
  });
});

test("a subresource of any name is read, written and patched as JSON", async () => {
  const { client, transport } = connected(
    { body: { level: 1 } },
    { body: { level: 2 } },
    { body: { level: 3 } },
    {},
  );
  const volume = client.subresource(Deployment, "web", "volume");
  expect(await volume.get()).toEqual({ level: 1 });
  expect(await volume.patch({ merge: { level: 2 } })).toEqual({ level: 2 });
  expect(await volume.create({ apiVersion: "example.dev/v1", kind: "Volume", level: 3 })).toEqual({
    level: 3,
  });
  expect(transport.sent).toEqual({ apiVersion: "example.dev/v1", kind: "Volume", metadata, level: 3 });
  const whole = { ...metadata, uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };
  const object = { apiVersion: "example.dev/v1", kind: "Volume", metadata: whole, level: 4 };
  await volume.update(object);
  expect(transport.sent).toEqual(object);
  const path = "/apis/apps/v1/namespaces/home/deployments/web/volume";
  expect(transport.lines).toEqual([
    `GET ${path}`,
    `PATCH ${path}?fieldManager=trimtab`,
    `POST ${path}?fieldManager=trimtab`,
    `PUT ${path}?fieldManager=trimtab`,
  ]);
});

test("apply sends the scale with the object's name and namespace", async () => {
  const { client, transport } = connected({});
  const part = client.subresource(Deployment, "web", "scale");
  await part.apply({ spec: { replicas: 2 } }, { force: true, fieldManager: "me" });
  expect(transport.lines).toEqual([`PATCH ${scalePath}?fieldManager=me&force=true`]);
  expect(transport.requests[0]?.headers).toMatchObject({ "content-type": "application/apply-patch+yaml" });
  expect(transport.sent).toEqual({ ...scale, metadata, spec: { replicas: 2 } });
});

test("create sends an eviction, a binding and a token with the object's name and namespace", async () => {
  const { client, transport } = connected({}, {}, {});
  const target = { kind: "Node", name: "n" };
  const bodies: unknown[] = [];
  await client.subresource(Pod, "web", "eviction").create();
  bodies.push(transport.sent);
  await client.subresource(Pod, "web", "binding").create({ target });
  bodies.push(transport.sent);
  await client.subresource(ServiceAccount, "web", "token").create({ spec: { audiences: ["a"] } });
  bodies.push(transport.sent);
  expect(bodies).toEqual([
    { apiVersion: "policy/v1", kind: "Eviction", metadata },
    { apiVersion: "v1", kind: "Binding", metadata, target },
    { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata, spec: { audiences: ["a"] } },
  ]);
  expect(transport.lines).toEqual([
    "POST /api/v1/namespaces/home/pods/web/eviction?fieldManager=trimtab",
    "POST /api/v1/namespaces/home/pods/web/binding?fieldManager=trimtab",
    "POST /api/v1/namespaces/home/serviceaccounts/web/token?fieldManager=trimtab",
  ]);
});

test("the kind is resolved by a call, not before", async () => {
  const resources = [{ name: "websites", kind: "Website", namespaced: true, verbs: [] }];
  const { client, transport } = connected({ body: { resources } }, {});
  const website = kind({ group: "example.dev", version: "v1", kind: "Website" });
  const part = client.subresource(website, "away/web", "scale");
  expect(transport.lines).toEqual([]);
  await part.get();
  expect(transport.lines).toEqual([
    "GET /apis/example.dev/v1",
    "GET /apis/example.dev/v1/namespaces/away/websites/web/scale",
  ]);
});
