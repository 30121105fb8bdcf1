/** Wall milliseconds of an RFC 3339 time, or of a certificate's ("Nov 16 00:00:00 2036 GMT"); NaN for other text. */
export function parseTime(text: string): number {
  // biome-ignore lint/style/noRestrictedGlobals: reads a text, not the clock
  return Date.parse(text);
}
