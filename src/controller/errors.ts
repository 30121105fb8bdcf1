/** Thrown by a reconcile: trying again is of no use until the object, or something it depends on, changes. */
export class TerminalError extends Error {
  override readonly name: string = "TerminalError";
}

/** Thrown by a reconcile: try again after so long, whatever the limiter would say. It counts as an error. */
export class RetryAfterError extends Error {
  override readonly name: string = "RetryAfterError";
  readonly afterMs: number;

  constructor(message: string, options: ErrorOptions & { readonly afterMs: number }) {
    super(message, options);
    this.afterMs = options.afterMs;
  }
}

/** Whether it, or what caused it, is a `TerminalError`. */
export function isTerminal(error: unknown): boolean {
  return causes(error).some((cause) => cause instanceof TerminalError);
}

/** How long it, or what caused it, says to wait. */
export function retryAfterMs(error: unknown): number | undefined {
  return causes(error).find((cause) => cause instanceof RetryAfterError)?.afterMs;
}

function causes(error: unknown): unknown[] {
  const found: unknown[] = [];
  for (let next = error; next !== undefined && !found.includes(next); ) {
    found.push(next);
    next = next instanceof Error ? next.cause : undefined;
  }
  return found;
}
