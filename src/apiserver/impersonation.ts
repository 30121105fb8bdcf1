import type { ServerRequest, UserInfo } from "./exchange.ts";
import { valueSeparator } from "./joined-headers.ts";
import { badRequest, unauthorized } from "./status-error.ts";

/** As whom a request acts: its sender, or whom its headers name instead. Who is nobody is nobody else either. */
export function actingUser({ user, headers }: Pick<ServerRequest, "user" | "headers">): UserInfo {
  if (!user) throw unauthorized();
  const asked = askedUser(headers);
  const { username, uid, groups = [], extra } = asked;
  if (username)
    return {
      username,
      ...(uid && { uid }),
      groups: [...groupsOf(username, groups)],
      ...(extra && { extra }),
    };
  if (uid || groups.length > 0 || extra)
    throw badRequest(`requested ${printed(asked)} without impersonating a user name`);
  return user;
}

type AskedUser = { readonly [P in keyof UserInfo]?: UserInfo[P] | undefined };

function askedUser(headers: ServerRequest["headers"]): AskedUser {
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

/** What cannot be decoded stands for itself. */
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
  const told = groups.includes("system:unauthenticated");
  if (username === "system:anonymous") {
    if (!told) yield "system:unauthenticated";
  } else if (!told && !groups.includes("system:authenticated")) yield "system:authenticated";
}

/** Of a namespace and an account that may be called so. */
const accountName = /^system:serviceaccount:([a-z0-9]([-a-z0-9]*[a-z0-9])?):[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/;

/** As Go prints it. */
function printed({ uid = "", groups = [], extra }: AskedUser): string {
  const list = (values: readonly string[]): string =>
    `[]string{${values.map((one) => JSON.stringify(one)).join(", ")}}`;
  const pairs = Object.entries(extra ?? {}).map(([key, values]) => `${JSON.stringify(key)}:${list(values)}`);
  const shownExtra = extra ? `map[string][]string{${pairs.join(", ")}}` : "map[string][]string(nil)";
  const shownGroups = groups.length > 0 ? list(groups) : "[]string(nil)";
  return `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:${shownGroups}, Extra:${shownExtra}}`;
}
