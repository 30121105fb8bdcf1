/** Formats a time like `metav1.Time`: RFC 3339 in UTC with whole seconds, rounded down. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Returns the milliseconds since 1970 of a timestamp that an API server wrote. */
export function timestampMs(text: string): number {
  return Date.parse(text);
}

/** Formats a time like `metav1.MicroTime`: RFC 3339 in UTC, rounded to microseconds. */
export function microTimestamp(ms: number): string {
  const micros = Math.round(ms * 1000);
  const wholeMs = Math.floor(micros / 1000);
  const rest = String(micros - wholeMs * 1000).padStart(3, "0");
  return `${new Date(wholeMs).toISOString().slice(0, 23)}${rest}Z`;
}
