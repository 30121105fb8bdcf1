import { expect, test } from "vitest";
import type { Span, SpanAttributes, SpanDefinition, Tracer } from "../base/index.ts";
import { broken, scripted, status } from "./scripted-transport.fixture.ts";
import { callName, traced } from "./traced.ts";

interface Told {
  readonly name: string;
  readonly kind: string | undefined;
  readonly attributes: SpanAttributes;
  readonly failed: string | undefined;
}

/** Writes down what it is told. */
function noting(told: Told[]): Tracer {
  return {
    async trace<R>({ name, kind, attributes }: SpanDefinition, work: (span: Span) => Promise<R>): Promise<R> {
      let all = attributes?.() ?? {};
      let failed: string | undefined;
      const fail = ({ message }: Error): void => {
        failed = message;
      };
      const set = (more: SpanAttributes): void => {
        all = { ...all, ...more };
      };
      try {
        return await work({ set, fail });
      } catch (error) {
        failed = "thrown";
        throw error;
      } finally {
        told.push({ name, kind, attributes: all, failed });
      }
    },
    record() {},
    headers: () => ({ traceparent: "00-1-2-01" }),
  };
}

test("a request is a span, and the server is told which", async () => {
  const told: Told[] = [];
  const below = scripted(status(200), status(404));
  const transport = traced(below, noting(told));
  const path = "/apis/apps/v1/namespaces/home/deployments/web/status?fieldManager=me";
  await transport.send({ method: "PATCH", path, headers: { accept: "application/json" } });
  await transport.send({ method: "GET", path: "/api/v1/nodes/n1" });
  const server = { "server.address": "10.0.0.1", "server.port": 6443 };
  expect(told).toEqual([
    {
      name: "PATCH deployments/status",
      kind: "client",
      attributes: {
        "http.request.method": "PATCH",
        "url.path": "/apis/apps/v1/namespaces/home/deployments/web/status",
        "http.response.status_code": 200,
        ...server,
      },
      failed: undefined,
    },
    {
      name: "GET nodes",
      kind: "client",
      attributes: {
        "http.request.method": "GET",
        "url.path": "/api/v1/nodes/n1",
        "http.response.status_code": 404,
        ...server,
      },
      failed: "answered with 404",
    },
  ]);
  expect(below.asked.map(({ headers }) => headers)).toEqual([
    { accept: "application/json", traceparent: "00-1-2-01" },
    { traceparent: "00-1-2-01" },
  ]);
});

test("a request without an answer is a span that failed", async () => {
  const told: Told[] = [];
  const transport = traced(scripted(broken("ECONNRESET")), noting(told));
  await expect(transport.send({ method: "GET", path: "/version" })).rejects.toThrow("got ECONNRESET");
  expect(told.map(({ name, failed }) => [name, failed])).toEqual([["GET", "thrown"]]);
});

test("a watch is none", async () => {
  const told: Told[] = [];
  const below = scripted(status(200));
  const transport = traced(below, noting(told));
  (await transport.open({ method: "GET", path: "/api/v1/pods?watch=true" })).close();
  await transport.close();
  expect([told, below.asked.length, transport.server]).toEqual([[], 1, below.server]);
});

test.each([
  { path: "/api/v1/pods", name: "pods" },
  { path: "/api/v1/pods?limit=500", name: "pods" },
  { path: "/api/v1/namespaces/home/pods/a", name: "pods" },
  { path: "/api/v1/namespaces/home/pods/a/log?follow=true", name: "pods/log" },
  { path: "/api/v1/namespaces", name: "namespaces" },
  { path: "/api/v1/namespaces/home", name: "namespaces" },
  { path: "/api/v1/namespaces/home/status", name: "namespaces/status" },
  { path: "/api/v1/namespaces/home/finalize", name: "namespaces/finalize" },
  { path: "/apis/example.dev/v1/namespaces/home/websites/a/status", name: "websites/status" },
  { path: "/apis/example.dev/v1/clusters/a", name: "clusters" },
])("a call is named by what it is about: $path", ({ path, name }) => {
  expect(callName({ method: "GET", path })).toBe(`GET ${name}`);
});

test.each(["/version", "/apis", "/apis/apps/v1", "/api/v1", "/openapi/v3", "/"])(
  "or by its method alone: %s",
  (path) => {
    expect(callName({ method: "GET", path })).toBe("GET");
  },
);
