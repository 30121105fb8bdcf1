import { expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { isOwnWrite } from "./is-own-write.ts";

const object = (version: string, rest: object, metadata: object = {}): KubeObject => ({
  apiVersion: "example.dev/v1",
  kind: "Website",
  metadata: {
    name: "docs",
    namespace: "default",
    uid: "1",
    creationTimestamp: "2026-01-01T00:00:00Z",
    resourceVersion: version,
    ...metadata,
  },
  ...rest,
});

const spec = { image: "nginx", ports: [{ port: 80, protocol: "TCP" }] };
const before = object("7", { spec, status: { ready: 1 } }, { generation: 1 });

const httpd = { ...spec, image: "httpd" };
const ready = { status: { ready: 1 } };

test.each([
  {
    write: "with a change",
    sent: { status: { ready: 2 } },
    after: object("8", { spec, status: { ready: 2 } }),
    own: true,
  },
  {
    write: "that removes a field by omitting it",
    sent: { spec: { image: "nginx" } },
    after: object("8", { spec: { image: "nginx" }, ...ready }),
    own: true,
  },
  {
    write: "that removes a field with null",
    sent: { spec: { image: null } },
    after: object("8", { spec: { ports: spec.ports }, ...ready }),
    own: true,
  },
  { write: "whose fields are unknown", sent: undefined, after: object("8", { spec: httpd }), own: true },
  { write: "without changes", sent: ready, after: before, own: false },
  {
    write: "without changes, after a change of another client",
    sent: ready,
    after: object("8", { spec: httpd, ...ready }, { generation: 2 }),
    own: false,
  },
  {
    write: "without the defaults of list items, after a change of another client",
    sent: { spec: { ports: [{ port: 80 }] } },
    after: object("8", { spec: httpd, ...ready }),
    own: false,
  },
])("the resource version in the response to a write $write is its own: $own", ({ sent, after, own }) => {
  expect(isOwnWrite({ sent, before, after })).toBe(own);
});
