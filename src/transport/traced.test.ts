import { expect, test } from "vitest";
import type { Span, SpanAttributes, SpanDefinition, Tracer } from "../base/index.ts";
import { broken, scripted, status } from "./scripted-transport.fixture.ts";
import { callName, traced } from "./traced.ts";

interface RecordedSpan {
  readonly name: string;
  readonly kind: string | undefined;
  readonly attributes: SpanAttributes;
  readonly failed: string | undefined;
}

/** Returns a tracer that records its spans. */
function recordingTracer(spans: RecordedSpan[]): Tracer {
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
        spans.push({ name, kind, attributes: all, failed });
      }
    },
    record() {},
    headers: () => ({ traceparent: "00-1-2-01" }),
  };
}

test("a request has a span, whose context is sent to the server", async () => {
  const spans: RecordedSpan[] = [];
  const below = scripted(status(200), status(404));
  const transport = traced(below, recordingTracer(spans));
  const path = "/apis/apps/v1/namespaces/home/deployments/web/status?fieldManager=me";
  await transport.send({ method: "PATCH", path, headers: { accept: "application/json" } });
  await transport.send({ method: "GET", path: "/api/v1/nodes/n1" });
  const server = { "server.address": "10.0.0.1", "server.port": 6443 };
  expect(spans).toEqual([
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
      failed: "failed with 404",
    },
  ]);
  expect(below.requests.map(({ headers }) => headers)).toEqual([
    { accept: "application/json", traceparent: "00-1-2-01" },
    { traceparent: "00-1-2-01" },
  ]);
});

test("a request without a response has a failed span", async () => {
  const spans: RecordedSpan[] = [];
  const transport = traced(scripted(broken("ECONNRESET")), recordingTracer(spans));
  await expect(transport.send({ method: "GET", path: "/version" })).rejects.toThrow("got ECONNRESET");
  expect(spans.map(({ name, failed }) => [name, failed])).toEqual([["GET", "thrown"]]);
});

test("a watch has no span", async () => {
  const spans: RecordedSpan[] = [];
  const below = scripted(status(200));
  const transport = traced(below, recordingTracer(spans));
  (await transport.open({ method: "GET", path: "/api/v1/pods?watch=true" })).close();
  await transport.close();
  expect([spans, below.requests.length, transport.server]).toEqual([[], 1, below.server]);
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
])("the name of a span has the resource: $path", ({ path, name }) => {
  expect(callName({ method: "GET", path })).toBe(`GET ${name}`);
});

test.each(["/version", "/apis", "/apis/apps/v1", "/api/v1", "/openapi/v3", "/"])(
  "the name of a span without a resource is the method: %s",
  (path) => {
    expect(callName({ method: "GET", path })).toBe("GET");
  },
);
