import * as otel from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { type Clock, openTelemetry, type Tracer } from "../base/index.ts";

/** Installs OpenTelemetry's SDK in this process until it is disposed. */
export class Traced implements Disposable {
  readonly tracer: Tracer;
  readonly #exporter = new InMemorySpanExporter();
  readonly #provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.#exporter)] });

  constructor(clock?: Clock) {
    otel.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    otel.trace.setGlobalTracerProvider(this.#provider);
    this.tracer = openTelemetry(otel, { clock });
  }

  /** Ended spans, in the order of their ends. */
  get spans(): ReadableSpan[] {
    return this.#exporter.getFinishedSpans();
  }

  /** Names of the spans as a tree, indented by depth and sorted by start. */
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

/** Returns the start in milliseconds since the epoch. */
function startMs({ startTime: [seconds, nanoseconds] }: ReadableSpan): number {
  return seconds * 1000 + nanoseconds / 1e6;
}

export function durationMs({ duration: [seconds, nanoseconds] }: ReadableSpan): number {
  return seconds * 1000 + nanoseconds / 1e6;
}
