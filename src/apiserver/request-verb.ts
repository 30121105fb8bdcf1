import type { ServerRequest } from "./exchange.ts";
import { boolean } from "./list-options.ts";
import type { ResourceRequest } from "./request-info.ts";

/** What a request wants done, in the words of discovery and RBAC; nothing where a path takes no such method. */
export function verbOf(
  { method, query }: Pick<ServerRequest, "method" | "query">,
  { name, watchPath }: Pick<ResourceRequest, "name" | "watchPath">,
): Verb | undefined {
  if (watchPath) return method === "GET" ? "watch" : undefined;
  if (name !== undefined) return namedVerbs.get(method);
  const verb = collectionVerbs.get(method);
  return verb === "list" && boolean(query, "watch") ? "watch" : verb;
}

export type Verb = (typeof verbs)[number];

export const verbs = [
  "get",
  "list",
  "watch",
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
] as const;

/** POST to an object is to one of its subresources. */
const namedVerbs: ReadonlyMap<string, Verb> = new Map([
  ["GET", "get"],
  ["POST", "create"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);
const collectionVerbs: ReadonlyMap<string, Verb> = new Map([
  ["GET", "list"],
  ["POST", "create"],
  ["DELETE", "deletecollection"],
]);
