import { expect, test } from "vitest";
import { testServer } from "../requests.fixture.ts";

const core = "/api/v1/namespaces/default";

test("a namespace is Active and labelled, and its own finalizers delay its deletion", async () => {
  using api = testServer();
  const created = await api.object("POST", "/api/v1/namespaces", {
    metadata: { name: "n" },
    spec: { finalizers: ["example.com/x"] },
  });
  expect(created).toMatchObject({
    metadata: { labels: { "kubernetes.io/metadata.name": "n" } },
    spec: { finalizers: ["example.com/x", "kubernetes"] },
    status: { phase: "Active" },
  });
  expect(await api.object("DELETE", "/api/v1/namespaces/n")).toMatchObject({
    metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" },
    status: { phase: "Terminating" },
  });
});

test("a Secret moves stringData to data, and its type is immutable", async () => {
  using api = testServer();
  const secret = { metadata: { name: "s" }, stringData: { a: "1" } };
  const created = await api.object("POST", `${core}/secrets`, secret);
  expect([created.data, created.stringData, created.type]).toEqual([{ a: "MQ==" }, undefined, "Opaque"]);
  const refusal = await api.refusal("PUT", `${core}/secrets/s`, { ...secret, type: "x" });
  expect(refusal.message).toBe('Secret "s" is invalid: type: Invalid value: "x": field is immutable');
});

test("the data of an immutable ConfigMap cannot change", async () => {
  using api = testServer();
  const configMap = { metadata: { name: "c" }, immutable: true, data: { a: "1" } };
  await api.object("POST", `${core}/configmaps`, configMap);
  const refusal = await api.refusal("PUT", `${core}/configmaps/c`, { ...configMap, data: { a: "2" } });
  expect(refusal.message).toBe(
    'ConfigMap "c" is invalid: data: Forbidden: field is immutable when `immutable` is set',
  );
});

test("for an immutable Secret, empty data is a change and missing data is not", async () => {
  using api = testServer();
  const secret = { metadata: { name: "s" }, immutable: true };
  await api.object("POST", `${core}/secrets`, secret);
  const refusal = await api.refusal("PUT", `${core}/secrets/s`, { ...secret, data: {} });
  expect(refusal.message).toBe(
    'Secret "s" is invalid: data: Forbidden: field is immutable when `immutable` is set',
  );
  const updated = await api.object("PUT", `${core}/secrets/s`, { ...secret, stringData: {} });
  expect(updated.data).toBe(undefined);
});

test("a headless Service without a selector has both IP families", async () => {
  using api = testServer();
  const families = async (name: string, spec: object): Promise<unknown> => {
    const { spec: created } = await api.object("POST", `${core}/services`, {
      metadata: { name },
      spec: { clusterIP: "None", ...spec },
    });
    const { ipFamilies, ipFamilyPolicy } = created as Record<string, unknown>;
    return [ipFamilies, ipFamilyPolicy];
  };
  expect(await families("a", { selector: { a: "b" } })).toEqual([["IPv4"], "SingleStack"]);
  expect(await families("b", {})).toEqual([["IPv4", "IPv6"], "RequireDualStack"]);
});

test("a new Node has the not-ready taint", async () => {
  using api = testServer();
  const node = { metadata: { name: "n" }, status: { capacity: { cpu: "1" } } };
  expect(await api.object("POST", "/api/v1/nodes", node)).toMatchObject({
    spec: { taints: [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }] },
    status: { capacity: { cpu: "1" }, allocatable: { cpu: "1" } },
  });
});

test("a Job orphans its Pods by default, and selects them by its uid", async () => {
  using api = testServer();
  const jobs = "/apis/batch/v1/namespaces/default/jobs";
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i:1" }] } };
  const { metadata, spec } = await api.object("POST", jobs, { metadata: { name: "j" }, spec: { template } });
  expect(spec).toMatchObject({
    selector: { matchLabels: { "batch.kubernetes.io/controller-uid": metadata.uid } },
    backoffLimit: 6,
    completions: 1,
    parallelism: 1,
  });
  expect((await api.object("DELETE", `${jobs}/j`)).metadata.finalizers).toEqual(["orphan"]);
});

test("PUT creates a Lease, and updates it only with a resource version", async () => {
  using api = testServer();
  const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases/l";
  const lease = { metadata: { name: "l" }, spec: { holderIdentity: "a" } };
  expect((await api.send("PUT", path, { body: lease })).code).toBe(201);
  expect((await api.send("PUT", path, { body: lease })).code).toBe(422);
});
