import { expect, test } from "vitest";
import { pathText, valueText } from "./field-changes.ts";
import { sentAndStored } from "./sent-and-stored.ts";
import type { Write, WriteVerb } from "./write.ts";

const stored = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "a", uid: "1", resourceVersion: "7", labels: { app: "a" } },
  spec: { type: "ClusterIP", ports: [{ port: 80, protocol: "TCP" }], replicas: "1" },
  status: { ready: 1 },
};

function differences(verb: WriteVerb, sent: unknown, subresource?: string): string[] {
  const write: Write = {
    verb,
    kind: "Service",
    key: "default/a",
    sent,
    subresource,
    cached: () => undefined,
    fetch: () => Promise.resolve(undefined),
  };
  return sentAndStored(write, stored).map(
    ({ path, before, after }) =>
      `${pathText(path)}: ${valueText(before, "Service", path)} → ${valueText(after, "Service", path)}`,
  );
}

test("an update is complete: a field that it omits is meant to be absent", () => {
  const { metadata } = stored;
  expect(
    differences("update", {
      metadata,
      spec: { type: "ClusterIP", ports: [{ port: 80 }], replicas: "1000m" },
    }),
  ).toEqual(['spec.ports[0].protocol: nothing → "TCP"', 'spec.replicas: "1000m" → "1"']);
});

test("an update with the stored object has no differences, for any resource version", () => {
  expect(
    differences("update", { ...stored, metadata: { ...stored.metadata, resourceVersion: "5" } }),
  ).toEqual([]);
});

test("a patch covers only the fields it names, and null means absent", () => {
  expect(differences("patch", { merge: { spec: { type: null, replicas: "1", extra: "x" } } })).toEqual([
    'spec.type: nothing → "ClusterIP"',
    'spec.extra: "x" → nothing',
  ]);
});

test("lists that the server merges are not compared", () => {
  const ports = [{ port: 443 }];
  expect([
    differences("patch", { strategic: { spec: { ports, $patch: "replace" } } }),
    differences("apply", { spec: { ports } }),
    differences("patch", { merge: { spec: { ports } } }),
  ]).toEqual([[], [], ["spec.ports[0].port: 443 → 80"]]);
});

test("the status is compared if it is sent, and alone in a status write", () => {
  expect([
    differences("patch", { merge: { status: { ready: 2 } } }),
    differences("update", { ...stored, spec: {}, status: { ready: 2 } }, "status"),
    differences("update", { metadata: stored.metadata, spec: stored.spec }),
  ]).toEqual([["status.ready: 2 → 1"], ["status.ready: 2 → 1"], []]);
});

test("JSON patches are not compared", () => {
  expect(differences("patch", { json: [{ op: "replace", path: "/spec/type", value: "NodePort" }] })).toEqual(
    [],
  );
});
