/** Where spans go: what was done, how long it took, and what it was part of. */
export interface Tracer {
  /**
   * Runs `work` as a span, which ends when its promise settles and has failed when that rejects. What is traced
   * while it runs, also after it has waited for something, is part of it.
   */
  trace<R>(definition: SpanDefinition, work: (span: Span) => Promise<R>): Promise<R>;
  /** A span of so many milliseconds that has just ended, as part of the one that runs. */
  record(definition: SpanDefinition, ms: number): void;
  /** Headers of a request by which the other side can take part in what runs. */
  headers(): Readonly<Record<string, string>>;
}

export interface SpanDefinition {
  /** One of few: what varies is in the attributes. */
  readonly name: string;
  /** `client`: somebody else is asked to do it. @default "internal" */
  readonly kind?: "internal" | "client" | undefined;
  /** Asked for only where somebody will see them. */
  readonly attributes?: (() => SpanAttributes) | undefined;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[]>>;

/** What is being done. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** It did not succeed, though its promise may resolve. */
  fail(error: Error): void;
}

const noSpan: Span = { set() {}, fail() {} };

/** Traces nothing. */
export const noTracer: Tracer = {
  trace: (_, work) => work(noSpan),
  record() {},
  headers: () => ({}),
};

/**
 * Returns a tracer whose failures do not reach the work that it traces: the work runs once, and its result is returned. Spans of
 * a tracer that throws are lost.
 *
 * @param onError is called with what the tracer threw
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

/** Whether the failure of a trace is not the failure of its work. */
async function hasFulfilled(running: Promise<unknown> | undefined): Promise<boolean> {
  try {
    await running;
    return true;
  } catch {
    return false;
  }
}
