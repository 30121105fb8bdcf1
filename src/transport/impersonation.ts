import type { Impersonation } from "./cluster-config.ts";
import { ConfigError } from "./config-error.ts";

/**
 * The headers that ask the server to act as somebody else. Keys of `extra` are lower-cased, since
 * header names are, and percent-encoded.
 */
export function impersonationHeaders(
  impersonation: Impersonation,
): Record<string, string | readonly string[]> {
  const { user, groups = [], uid, extra = {} } = impersonation;
  if (user === "") throw new ConfigError(needsUser(impersonation) ?? "expected a user to act as, got none");
  return {
    "impersonate-user": headerText(user),
    ...(groups.length > 0 && { "impersonate-group": groups.map(headerText) }),
    ...(uid && { "impersonate-uid": headerText(uid) }),
    ...extraHeaders(extra),
  };
}

/** An impersonation of which nobody has checked that it has a user. */
type PerhapsImpersonation = { readonly [K in keyof Impersonation]?: Impersonation[K] | undefined };

/** What is wrong with groups, uid or extra when there is no user for them; `undefined` when nothing is. */
export function needsUser(impersonation: PerhapsImpersonation): string | undefined {
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

/** Each byte that may not stand in a header's name becomes %XX, and so does "%" itself. */
function encodeKey(key: string): string {
  const encode = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  const encodeText = (text: string): string => Array.from(Buffer.from(text, "utf8"), encode).join("");
  return key.replace(/[^a-z0-9!#$&'*+.^_`|~-]+/g, encodeText);
}

/** Node writes header values as Latin-1; the server reads UTF-8. */
function headerText(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
