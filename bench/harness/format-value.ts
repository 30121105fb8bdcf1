/** Formats a value with three significant digits, or with all digits before the point. */
export function formatValue(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(value >= 10 ? 1 : 2).replace(/\.0+$/, "");
}
