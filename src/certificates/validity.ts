import { X509Certificate } from "node:crypto";

/**
 * Returns the validity of the first certificate of a PEM text, in milliseconds since the epoch.
 *
 * @throws if the text does not begin with a certificate
 */
export function validityOf(cert: string): { readonly fromMs: number; readonly toMs: number } {
  const { validFrom, validTo } = new X509Certificate(cert);
  return { fromMs: timeOf(validFrom), toMs: timeOf(validTo) };
}

/** Reads OpenSSL's form of a time: "Nov 18 16:05:12 2027 GMT". */
function timeOf(text: string): number {
  // biome-ignore lint/style/noRestrictedGlobals: reads a text, not the clock
  return Date.parse(text);
}
