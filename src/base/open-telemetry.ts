import { asError } from "./as-error.ts";
import type { Clock } from "./clock.ts";
import type { Span, SpanDefinition, Tracer } from "./tracer.ts";

export interface OpenTelemetryOptions {
  /** Clock of the start and end times of spans. @default OpenTelemetry's clock */
  readonly clock?: Clock | undefined;
}

/**
 * Returns a tracer that creates OpenTelemetry spans: `openTelemetry(await import("@opentelemetry/api"))`. This module
 * does not load OpenTelemetry. Its SDK configures exporters, sampling and context propagation; without an SDK no span
 * is recorded.
 */
export function openTelemetry(api: OpenTelemetryApi, { clock }: OpenTelemetryOptions = {}): Tracer {
  const tracer = api.trace.getTracer("trimtab");
  const now = (ms = 0): HrTime | undefined => clock && hrTime(clock.now() - ms);
  const start = (definition: SpanDefinition, startTime: HrTime | undefined): OtelSpan => {
    const { name, kind = "internal", attributes } = definition;
    const options = { kind: kinds[kind], ...(startTime && { startTime }) };
    const span = tracer.startSpan(name, options, api.context.active());
    if (attributes && span.isRecording()) span.setAttributes(attributes());
    return span;
  };
  return {
    async trace<R>(definition: SpanDefinition, work: (span: Span) => Promise<R>): Promise<R> {
      const span = start(definition, now());
      try {
        return await api.context.with(api.trace.setSpan(api.context.active(), span), () => work(open(span)));
      } catch (error) {
        fail(span, asError(error));
        throw error;
      } finally {
        span.end(now());
      }
    },
    record(definition, ms) {
      start(definition, now(ms) ?? hrTime(Date.now() - ms)).end(now());
    },
    headers() {
      const headers: Record<string, string> = {};
      api.propagation.inject(api.context.active(), headers);
      return headers;
    },
  };
}

/** The used part of `@opentelemetry/api`, which every 1.x version has. */
export interface OpenTelemetryApi {
  readonly trace: {
    getTracer(name: string): OtelTracer;
    setSpan(context: OtelContext, span: OtelSpan): OtelContext;
  };
  readonly context: {
    active(): OtelContext;
    with<R>(context: OtelContext, run: () => R): R;
  };
  readonly propagation: { inject(context: OtelContext, headers: Record<string, string>): void };
}

interface OtelTracer {
  startSpan(name: string, options: { kind: number; startTime?: HrTime }, context: OtelContext): OtelSpan;
}

interface OtelSpan {
  isRecording(): boolean;
  setAttributes(attributes: Record<string, string | number | boolean | string[]>): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(error: Error): void;
  end(at?: HrTime): void;
}

/** An opaque OpenTelemetry context. */
interface OtelContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): OtelContext;
  deleteValue(key: symbol): OtelContext;
}

/**
 * Seconds since the epoch, and nanoseconds. OpenTelemetry would interpret a small number as a time since process start.
 */
type HrTime = [seconds: number, nanoseconds: number];

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}

function open(span: OtelSpan): Span {
  return {
    set: (attributes) => void span.setAttributes(attributes),
    fail: (error) => fail(span, error),
  };
}

function fail(span: OtelSpan, error: Error): void {
  span.recordException(error);
  span.setStatus({ code: errorStatus, message: error.message });
}

/** OpenTelemetry's `SpanKind` and `SpanStatusCode` values. */
const kinds = { internal: 0, client: 2 } as const;
const errorStatus = 2;
