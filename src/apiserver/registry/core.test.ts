import { expect, test } from "vitest";
import { testServer } from "../requests.fixture.ts";

const core = "/api/v1/namespaces/default";

test("a namespace is active, labelled, and waits for its own finalizers", async () => {
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

test("a Secret takes text as data, and keeps its type", async () => {
  using api = testServer();
  const secret = { metadata: { name: "s" }, stringData: { a: "1" } };
  const created = await api.object("POST", `${core}/secrets`, secret);
  expect([created.data, created.stringData, created.type]).toEqual([{ a: "MQ==" }, undefined, "Opaque"]);
  const refusal = await api.refusal("PUT", `${core}/secrets/s`, { ...secret, type: "x" });
  expect(refusal.message).toBe('Secret "s" is invalid: type: Invalid value: "x": field is immutable');
});

test("an immutable ConfigMap keeps its data", async () => {
  using api = testServer();
  const map = { metadata: { name: "c" }, immutable: true, data: { a: "1" } };
  await api.object("POST", `${core}/configmaps`, map);
  const refusal = await api.refusal("PUT", `${core}/configmaps/c`, { ...map, data: { a: "2" } });
  expect(refusal.message).toBe(
    'ConfigMap "c" is invalid: data: Forbidden: field is immutable when `immutable` is set',
  );
});

test("empty data is a change of an immutable Secret, and no data is none", async () => {
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

test("a headless Service has both families when nobody selects its Pods", async () => {
  using api = testServer();
  const families = async (name: string, spec: object): Promise<unknown> => {
    const { spec: settled } = await api.object("POST", `${core}/services`, {
      metadata: { name },
      spec: { clusterIP: "None", ...spec },
    });
    const { ipFamilies, ipFamilyPolicy } = settled as Record<string, unknown>;
    return [ipFamilies, ipFamilyPolicy];
  };
  expect(await families("a", { selector: { a: "b" } })).toEqual([["IPv4"], "SingleStack"]);
  expect(await families("b", {})).toEqual([["IPv4", "IPv6"], "RequireDualStack"]);
});

test("a Node is tainted until somebody has seen it ready", async () => {
  using api = testServer();
  const node = { metadata: { name: "n" }, status: { capacity: { cpu: "1" } } };
  expect(await api.object("POST", "/api/v1/nodes", node)).toMatchObject({
    spec: { taints: [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }] },
    status: { capacity: { cpu: "1" }, allocatable: { cpu: "1" } },
  });
});

test("a Job leaves its Pods behind by default, and finds them by its uid", async () => {
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

test("a PUT makes a Lease, and changes it only with a resourceVersion", async () => {
  using api = testServer();
  const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases/l";
  const lease = { metadata: { name: "l" }, spec: { holderIdentity: "a" } };
  expect((await api.send("PUT", path, { body: lease })).code).toBe(201);
  expect((await api.send("PUT", path, { body: lease })).code).toBe(422);
});
