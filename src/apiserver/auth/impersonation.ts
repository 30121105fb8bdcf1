import type { ServerRequest, UserInfo } from "../types/exchange.ts";
import { valueSeparator } from "../types/joined-headers.ts";
import { badRequest, unauthorized } from "../types/status-error.ts";

/**
 * Returns the user that a request acts as: the authenticated user, or the impersonated one. Throws a 401 without an
 * authenticated user.
 */
export function actingUser({ user, headers }: Pick<ServerRequest, "user" | "headers">): UserInfo {
  if (!user) throw unauthorized();
  const impersonated = impersonatedUser(headers);
  const { username, uid, groups = [], extra } = impersonated;
  if (username)
    return {
      username,
      ...(uid && { uid }),
      groups: [...groupsOf(username, groups)],
      ...(extra && { extra }),
    };
  if (uid || groups.length > 0 || extra)
    throw badRequest(`requested ${printed(impersonated)} without impersonating a user name`);
  return user;
}

type ImpersonatedUser = { readonly [P in keyof UserInfo]?: UserInfo[P] | undefined };

function impersonatedUser(headers: ServerRequest["headers"]): ImpersonatedUser {
  const extra = extraOf(headers);
  return {
    username: headers["impersonate-user"],
    uid: headers["impersonate-uid"],
    groups: valuesOf(headers["impersonate-group"]),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}

const extraPrefix = "impersonate-extra-";

function extraOf(headers: ServerRequest["headers"]): Record<string, string[]> {
  const named = Object.entries(headers).filter(([name]) => name.startsWith(extraPrefix));
  return Object.fromEntries(
    named.map(([name, value]) => [keyOf(name.slice(extraPrefix.length)), valuesOf(value)]),
  );
}

/** Decodes a key. An invalid percent-encoding is kept as it is. */
function keyOf(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return name;
    throw error;
  }
}

function valuesOf(header: string | undefined): string[] {
  return header ? header.split(valueSeparator) : [];
}

function* groupsOf(username: string, groups: readonly string[]): Generator<string, void> {
  const [, namespace] = accountName.exec(username) ?? [];
  if (groups.length === 0 && namespace)
    yield* ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
  yield* groups;
  const unauthenticated = groups.includes("system:unauthenticated");
  if (username === "system:anonymous") {
    if (!unauthenticated) yield "system:unauthenticated";
  } else if (!unauthenticated && !groups.includes("system:authenticated")) yield "system:authenticated";
}

/** The name of a service account, with a valid namespace and name. */
const accountName = /^system:serviceaccount:([a-z0-9]([-a-z0-9]*[a-z0-9])?):[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/;

/** Formats the user as Go's `%#v` does. */
function printed({ uid = "", groups = [], extra }: ImpersonatedUser): string {
  const list = (values: readonly string[]): string =>
    `[]string{${values.map((one) => JSON.stringify(one)).join(", ")}}`;
  const pairs = Object.entries(extra ?? {}).map(([key, values]) => `${JSON.stringify(key)}:${list(values)}`);
  const extraText = extra ? `map[string][]string{${pairs.join(", ")}}` : "map[string][]string(nil)";
  const groupsText = groups.length > 0 ? list(groups) : "[]string(nil)";
  return `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:${groupsText}, Extra:${extraText}}`;
}
