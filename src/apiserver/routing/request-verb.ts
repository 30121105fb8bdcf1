import type { ServerRequest } from "../types/exchange.ts";
import { boolean } from "../verbs/list-options.ts";
import type { ResourceRequest } from "./request-info.ts";

/** Returns the verb of a request, as in discovery and RBAC, or `undefined` if the path does not support the method. */
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

/** The verbs of named objects. POST is supported by subresources only. */
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
