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
