/**
 * Parses an RFC 3339 time or a certificate's ("Nov 16 00:00:00 2036 GMT") to wall-clock milliseconds. NaN if invalid.
 */
export function parseTime(text: string): number {
  // biome-ignore lint/style/noRestrictedGlobals: parses a text, does not read the clock
  return Date.parse(text);
}
