import * as otel from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { type Clock, openTelemetry, type Tracer } from "../base/index.ts";

/** OpenTelemetry with its real SDK, for this process, until it is disposed. */
export class Traced implements Disposable {
  readonly tracer: Tracer;
  readonly #exporter = new InMemorySpanExporter();
  readonly #provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.#exporter)] });

  constructor(clock?: Clock) {
    otel.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    otel.trace.setGlobalTracerProvider(this.#provider);
    this.tracer = openTelemetry(otel, { clock });
  }

  /** What has ended, in that order. */
  get spans(): ReadableSpan[] {
    return this.#exporter.getFinishedSpans();
  }

  /** The spans as a tree, those that began first before others: their names, indented by what they are part of. */
  get tree(): string[] {
    const lines = (parent: string | undefined, depth: number): string[] =>
      this.spans
        .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
        .sort((one, other) => startMs(one) - startMs(other))
        .flatMap((span) => ["  ".repeat(depth) + span.name, ...lines(span.spanContext().spanId, depth + 1)]);
    return lines(undefined, 0);
  }

  named(name: string): ReadableSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  [Symbol.dispose](): void {
    otel.trace.disable();
    otel.context.disable();
  }
}

/** Since the epoch. */
function startMs({ startTime: [seconds, nanoseconds] }: ReadableSpan): number {
  return seconds * 1000 + nanoseconds / 1e6;
}

export function durationMs({ duration: [seconds, nanoseconds] }: ReadableSpan): number {
  return seconds * 1000 + nanoseconds / 1e6;
}
