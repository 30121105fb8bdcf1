/** Formats a time for HTTP headers: `Mon, 16 Nov 2026 02:25:23 GMT`. */
export function httpDate(ms: number): string {
  // biome-ignore lint/style/noRestrictedGlobals: writes a time, does not read the clock
  return new Date(ms).toUTCString();
}
