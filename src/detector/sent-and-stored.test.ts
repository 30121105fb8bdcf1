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

function told(verb: WriteVerb, sent: unknown, subresource?: string): string[] {
  const write: Write = {
    verb,
    kind: "Service",
    key: "default/a",
    sent,
    subresource,
    seen: () => undefined,
    ask: () => Promise.resolve(undefined),
  };
  return sentAndStored(write, stored).map(
    ({ path, before, after }) =>
      `${pathText(path)}: ${valueText(before, "Service", path)} → ${valueText(after, "Service", path)}`,
  );
}

test("an update is taken by its word: what it leaves out was meant to be absent", () => {
  const { metadata } = stored;
  expect(
    told("update", { metadata, spec: { type: "ClusterIP", ports: [{ port: 80 }], replicas: "1000m" } }),
  ).toEqual(['spec.ports[0].protocol: nothing → "TCP"', 'spec.replicas: "1000m" → "1"']);
});

test("an update of what is stored differs in nothing, whatever version it was", () => {
  expect(told("update", { ...stored, metadata: { ...stored.metadata, resourceVersion: "5" } })).toEqual([]);
});

test("a patch speaks only of what it names, and null of what shall go", () => {
  expect(told("patch", { merge: { spec: { type: null, replicas: "1", extra: "x" } } })).toEqual([
    'spec.type: nothing → "ClusterIP"',
    'spec.extra: "x" → nothing',
  ]);
});

test("lists that the server merges are not compared", () => {
  const ports = [{ port: 443 }];
  expect([
    told("patch", { strategic: { spec: { ports, $patch: "replace" } } }),
    told("apply", { spec: { ports } }),
    told("patch", { merge: { spec: { ports } } }),
  ]).toEqual([[], [], ["spec.ports[0].port: 443 → 80"]]);
});

test("the status counts where it is sent, and alone where it is what is written", () => {
  expect([
    told("patch", { merge: { status: { ready: 2 } } }),
    told("update", { ...stored, spec: {}, status: { ready: 2 } }, "status"),
    told("update", { metadata: stored.metadata, spec: stored.spec }),
  ]).toEqual([["status.ready: 2 → 1"], ["status.ready: 2 → 1"], []]);
});

test("what the steps of a JSON patch meant is not known", () => {
  expect(told("patch", { json: [{ op: "replace", path: "/spec/type", value: "NodePort" }] })).toEqual([]);
});
