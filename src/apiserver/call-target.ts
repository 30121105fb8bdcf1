import type { ServerRequest } from "./exchange.ts";
import type { ResourceRequest } from "./request-info.ts";
import { verbOf } from "./request-verb.ts";
import type { Resource, ServedSubresource } from "./resource.ts";
import type { ResourceRegistry } from "./resource-registry.ts";
import { badRequest, methodNotAllowed, noSuchResource, notFound, verbNotSupported } from "./status-error.ts";

/** What a request is for. */
export interface CallTarget {
  readonly resource: Resource;
  readonly subresource: ServedSubresource | undefined;
  readonly verb: string;
}

/**
 * Finds what a request is for; nothing where no page is there. Throws a `StatusError` for what is not served or may not
 * be done. Custom kinds are served by a server of their own, which has other words for that.
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
  if (isEverywhere(resource, info) && verb !== "list" && verb !== "watch") return undefined;
  if (!(subresource ?? resource).verbs.includes(verb)) throw verbNotSupported(resource, verb);
  return { resource, subresource, verb };
}

function customVerb(request: ServerRequest, info: ResourceRequest): string {
  const method = request.method === "HEAD" ? "GET" : request.method;
  const named = method === "PUT" || method === "PATCH";
  if (named && info.name === undefined) throw badRequest("name must be provided");
  return verbOf({ ...request, method }, info) ?? "";
}

/** Objects of namespaced kinds are named in their namespace; others have none. */
function inScope({ namespaced }: Resource, { namespace, name }: ResourceRequest): boolean {
  return namespaced ? namespace !== undefined || name === undefined : namespace === undefined;
}

function isEverywhere({ namespaced }: Resource, { namespace }: ResourceRequest): boolean {
  return namespaced && namespace === undefined;
}

function allows({ resource, subresource, verb }: CallTarget, info: ResourceRequest): boolean {
  if (subresource) return subresource.verbs.includes(verb);
  if (isEverywhere(resource, info) && verb !== "list" && verb !== "watch") return false;
  if (verb === "create" && info.name !== undefined) return false;
  return resource.verbs.includes(verb);
}
