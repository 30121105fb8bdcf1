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
    write: "that says something new",
    sent: { status: { ready: 2 } },
    after: object("8", { spec, status: { ready: 2 } }),
    own: true,
  },
  {
    write: "that takes a field away by leaving it out",
    sent: { spec: { image: "nginx" } },
    after: object("8", { spec: { image: "nginx" }, ...ready }),
    own: true,
  },
  {
    write: "that takes a field away by name",
    sent: { spec: { image: null } },
    after: object("8", { spec: { ports: spec.ports }, ...ready }),
    own: true,
  },
  { write: "of which nothing can be told", sent: undefined, after: object("8", { spec: httpd }), own: true },
  { write: "that says nothing new", sent: ready, after: before, own: false },
  {
    write: "that says nothing new where somebody else did",
    sent: ready,
    after: object("8", { spec: httpd, ...ready }, { generation: 2 }),
    own: false,
  },
  {
    write: "that says less of a list than the server has filled in, where somebody else said something new",
    sent: { spec: { ports: [{ port: 80 }] } },
    after: object("8", { spec: httpd, ...ready }),
    own: false,
  },
])("of a write $write, the version it is answered with is its own: $own", ({ sent, after, own }) => {
  expect(isOwnWrite({ sent, before, after })).toBe(own);
});
