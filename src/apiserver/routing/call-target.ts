import type { ServerRequest } from "../types/exchange.ts";
import type { Resource, ServedSubresource } from "../types/resource.ts";
import type { ResourceRegistry } from "../types/resource-registry.ts";
import {
  badRequest,
  methodNotAllowed,
  noSuchResource,
  notFound,
  verbNotSupported,
} from "../types/status-error.ts";
import type { ResourceRequest } from "./request-info.ts";
import { verbOf } from "./request-verb.ts";

/** The resource and verb of a request. */
export interface CallTarget {
  readonly resource: Resource;
  readonly subresource: ServedSubresource | undefined;
  readonly verb: string;
}

/**
 * Finds the resource and verb of a request. Returns `undefined` if the path is not served (404). Throws a `StatusError`
 * for resources and verbs that are not served. Custom resources have other errors, because kube-apiserver serves them
 * with a server of their own.
 */
export function targetOf(
  registry: ResourceRegistry,
  request: ServerRequest,
  info: ResourceRequest,
): CallTarget | undefined {
  const resource = registry.get(info);
  const custom =
    resource?.custom ?? !registry.list().some(({ group, custom: c }) => group === info.group && !c);
  if (custom) return resource && customTarget(resource, request, info);
  if (!resource || info.rest.length > 0 || !inScope(resource, info)) throw noSuchResource();
  const subresource = resource.subresources.find(({ name }) => name === info.subresource);
  if (info.subresource !== undefined && !subresource) throw noSuchResource();
  const verb = verbOf(request, info);
  if (!verb || !allows({ resource, subresource, verb }, info)) throw methodNotAllowed();
  return { resource, subresource, verb };
}

function customTarget(
  resource: Resource,
  request: ServerRequest,
  info: ResourceRequest,
): CallTarget | undefined {
  if (!inScope(resource, info)) return undefined;
  const subresource = resource.subresources.find(({ name }) => name === info.subresource);
  if (info.subresource !== undefined && !subresource) throw notFound(resource, info.name ?? "");
  const verb = customVerb(request, info);
  if (isAllNamespaces(resource, info) && verb !== "list" && verb !== "watch") return undefined;
  if (!(subresource ?? resource).verbs.includes(verb)) throw verbNotSupported(resource, verb);
  return { resource, subresource, verb };
}

function customVerb(request: ServerRequest, info: ResourceRequest): string {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const named = method === "PUT" || method === "PATCH";
  if (named && info.name === undefined) throw badRequest("name must be provided");
  return verbOf({ ...request, method }, info) ?? "";
}

/** Returns true if the path has a namespace exactly when the resource needs one. */
function inScope({ namespaced }: Resource, { namespace, name }: ResourceRequest): boolean {
  return namespaced ? namespace !== undefined || name === undefined : namespace === undefined;
}

function isAllNamespaces({ namespaced }: Resource, { namespace }: ResourceRequest): boolean {
  return namespaced && namespace === undefined;
}

function allows({ resource, subresource, verb }: CallTarget, info: ResourceRequest): boolean {
  if (subresource) return subresource.verbs.includes(verb);
  if (isAllNamespaces(resource, info) && verb !== "list" && verb !== "watch") return false;
  if (verb === "create" && info.name !== undefined) return false;
  return resource.verbs.includes(verb);
}
