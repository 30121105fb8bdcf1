import type { Impersonation } from "./cluster-config.ts";
import { ConfigError } from "./config-error.ts";

/**
 * Returns the impersonation headers. Keys of `extra` are converted to lower case, as header names are, and
 * percent-encoded.
 */
export function impersonationHeaders(
  impersonation: Impersonation,
): Record<string, string | readonly string[]> {
  const { user, groups = [], uid, extra = {} } = impersonation;
  if (user === "")
    throw new ConfigError(missingUserProblem(impersonation) ?? "expected a user to act as, got none");
  return {
    "impersonate-user": headerText(user),
    ...(groups.length > 0 && { "impersonate-group": groups.map(headerText) }),
    ...(uid && { "impersonate-uid": headerText(uid) }),
    ...extraHeaders(extra),
  };
}

/** An impersonation that may lack the user. */
type PartialImpersonation = { readonly [K in keyof Impersonation]?: Impersonation[K] | undefined };

/** Returns the problem of an impersonation that has groups, uid or extra but no user, or `undefined` if it is valid. */
export function missingUserProblem(impersonation: PartialImpersonation): string | undefined {
  if (impersonation.user) return undefined;
  const { groups = [], uid, extra = {} } = impersonation;
  const alone = [
    ...(groups.length > 0 ? ["groups"] : []),
    ...(uid ? ["uid"] : []),
    ...(Object.keys(extra).length > 0 ? ["extra"] : []),
  ];
  if (alone.length === 0) return undefined;
  return `expected a user to act as beside ${alone.join(", ")}, got none`;
}

function extraHeaders(extra: NonNullable<Impersonation["extra"]>): Record<string, readonly string[]> {
  const headers: Record<string, readonly string[]> = {};
  for (const [key, values] of Object.entries(extra)) {
    const name = `impersonate-extra-${encodeKey(key.toLowerCase())}`;
    if (values.length > 0) headers[name] = [...(headers[name] ?? []), ...values.map(headerText)];
  }
  return headers;
}

/** Percent-encodes each byte that is not allowed in a header name, and "%" itself. */
function encodeKey(key: string): string {
  const encode = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  const encodeText = (text: string): string => Array.from(Buffer.from(text, "utf8"), encode).join("");
  return key.replace(/[^a-z0-9!#$&'*+.^_`|~-]+/g, encodeText);
}

/** Encodes a header value: Node writes header values as Latin-1, and the server reads UTF-8. */
function headerText(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
