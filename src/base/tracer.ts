/** Creates spans. */
export interface Tracer {
  /**
   * Runs `work` in a span that ends when the promise settles, and fails when it rejects. Spans that `work` creates,
   * also after an `await`, are its children.
   */
  trace<R>(definition: SpanDefinition, work: (span: Span) => Promise<R>): Promise<R>;
  /** Records a child span that has just ended and took `ms` milliseconds. */
  record(definition: SpanDefinition, ms: number): void;
  /** Returns the trace context headers for a request. */
  headers(): Readonly<Record<string, string>>;
}

export interface SpanDefinition {
  /** A name of low cardinality. Variable values belong in the attributes. */
  readonly name: string;
  /** `client` for a request to another process. @default "internal" */
  readonly kind?: "internal" | "client" | undefined;
  /** Called only if the span is recorded. */
  readonly attributes?: (() => SpanAttributes) | undefined;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[]>>;

/** A running span. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed, even if the promise resolves. */
  fail(error: Error): void;
}

const noSpan: Span = { set() {}, fail() {} };

/** A tracer that records nothing. */
export const noTracer: Tracer = {
  trace: (_, work) => work(noSpan),
  record() {},
  headers: () => ({}),
};

/**
 * Returns a tracer whose failures do not reach the work that it traces: the work runs once, and its result is returned.
 * Spans of a tracer that throws are lost.
 *
 * @param onError Called with errors of the tracer.
 */
export function guardedTracer(tracer: Tracer, onError: (error: unknown) => void): Tracer {
  const guard = <R>(call: () => R, otherwise: R): R => {
    try {
      return call();
    } catch (error) {
      onError(error);
      return otherwise;
    }
  };
  const guardedSpan = (span: Span): Span => ({
    set: (attributes) => guard(() => span.set(attributes), undefined),
    fail: (error) => guard(() => span.fail(error), undefined),
  });
  return {
    async trace<R>(definition: SpanDefinition, work: (span: Span) => Promise<R>): Promise<R> {
      let running: Promise<R> | undefined;
      const start = (span: Span): Promise<R> => {
        running ??= work(guardedSpan(span));
        return running;
      };
      try {
        await tracer.trace(definition, start);
      } catch (error) {
        if (await hasFulfilled(running)) onError(error);
      }
      return running ?? work(noSpan);
    },
    record: (definition, ms) => guard(() => tracer.record(definition, ms), undefined),
    headers: () => guard(() => tracer.headers(), {}),
  };
}

/** Returns true if the work succeeded, so that the tracer itself failed. */
async function hasFulfilled(running: Promise<unknown> | undefined): Promise<boolean> {
  try {
    await running;
    return true;
  } catch {
    return false;
  }
}
