import * as otel from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, expect, test } from "vitest";
import { type Clock, noTracer, openTelemetry, sleep, type Tracer, VirtualClock } from "./index.ts";

afterEach(() => {
  otel.trace.disable();
  otel.propagation.disable();
  otel.context.disable();
});

/** Installs OpenTelemetry's SDK for the rest of a test, and returns the recorded spans. */
function withSdk(clock?: Clock): { readonly tracer: Tracer; readonly spans: () => ReadableSpan[] } {
  const exporter = new InMemorySpanExporter();
  otel.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  otel.propagation.setGlobalPropagator({
    inject(context, carrier, setter) {
      const span = otel.trace.getSpanContext(context);
      if (span) setter.set(carrier, "traceparent", `00-${span.traceId}-${span.spanId}-01`);
    },
    extract: (context) => context,
    fields: () => ["traceparent"],
  });
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  otel.trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
  return { tracer: openTelemetry(otel, { clock }), spans: () => exporter.getFinishedSpans() };
}

function ms([seconds, nanoseconds]: otel.HrTime): number {
  return seconds * 1000 + nanoseconds / 1e6;
}

test("a span lasts as long as its work, and spans created in it are its children", async () => {
  const clock = new VirtualClock();
  const beganMs = clock.now();
  const { tracer, spans } = withSdk(clock);
  const outer = tracer.trace({ name: "outer", attributes: () => ({ a: 1, b: ["x"] }) }, async (span) => {
    await sleep(10, { clock });
    tracer.record({ name: "waited" }, 4);
    await tracer.trace({ name: "inner", kind: "client" }, () => sleep(5, { clock }));
    span.set({ c: true });
    return "done";
  });
  await clock.advance(100);
  expect(await outer).toBe("done");
  const told = spans().map((span) => ({
    name: span.name,
    kind: span.kind,
    from: ms(span.startTime) - beganMs,
    ms: ms(span.duration),
    attributes: span.attributes,
  }));
  expect(told).toEqual([
    { name: "waited", kind: otel.SpanKind.INTERNAL, from: 6, ms: 4, attributes: {} },
    { name: "inner", kind: otel.SpanKind.CLIENT, from: 10, ms: 5, attributes: {} },
    { name: "outer", kind: otel.SpanKind.INTERNAL, from: 0, ms: 15, attributes: { a: 1, b: ["x"], c: true } },
  ]);
  const outerId = spans()[2]?.spanContext().spanId;
  const parents = spans().map(({ parentSpanContext }) => parentSpanContext?.spanId);
  expect(parents).toEqual([outerId, outerId, undefined]);
});

test("the span of failed work is marked as failed, and the error is thrown", async () => {
  const { tracer, spans } = withSdk();
  const failed = tracer.trace({ name: "work" }, async () => {
    throw new Error("not today");
  });
  await expect(failed).rejects.toThrow("not today");
  await tracer.trace({ name: "answer" }, async (span) => span.fail(new Error("refused")));
  const { ERROR } = otel.SpanStatusCode;
  expect(spans().map(({ name, status }) => ({ name, status }))).toEqual([
    { name: "work", status: { code: ERROR, message: "not today" } },
    { name: "answer", status: { code: ERROR, message: "refused" } },
  ]);
  expect(spans()[0]?.events.map(({ name }) => name)).toEqual(["exception"]);
});

test("headers contain the trace context of the running span", async () => {
  const { tracer, spans } = withSdk();
  expect(tracer.headers()).toEqual({});
  const headers = await tracer.trace({ name: "work" }, async () => tracer.headers());
  const { traceId, spanId } = spans()[0]?.spanContext() ?? {};
  expect(headers).toEqual({ traceparent: `00-${traceId}-${spanId}-01` });
});

test("without an SDK the work runs, no span is recorded, and attributes are not computed", async () => {
  const tracer = openTelemetry(otel);
  const attributes = (): never => {
    throw new Error("attributes were computed");
  };
  expect(await tracer.trace({ name: "work", attributes }, async () => 1)).toBe(1);
  tracer.record({ name: "wait", attributes }, 1);
  expect(tracer.headers()).toEqual({});
});

test("noTracer runs the work", async () => {
  const done = noTracer.trace({ name: "work" }, async (span) => {
    span.set({ a: 1 });
    span.fail(new Error("not told"));
    return noTracer.headers();
  });
  expect(await done).toEqual({});
});
