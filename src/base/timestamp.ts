/** RFC 3339 in UTC with whole seconds, as Kubernetes writes `metav1.Time`. What is below a second is cut off. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** RFC 3339 in UTC with microseconds, as Kubernetes writes `metav1.MicroTime`. Rounded to the nearest. */
export function microTimestamp(ms: number): string {
  const micros = Math.round(ms * 1000);
  const wholeMs = Math.floor(micros / 1000);
  const rest = String(micros - wholeMs * 1000).padStart(3, "0");
  return `${new Date(wholeMs).toISOString().slice(0, 23)}${rest}Z`;
}
