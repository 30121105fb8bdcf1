import { asError } from "../base/index.ts";
import { actionOf } from "./actions.ts";
import type { Call, Engine } from "./engine.ts";
import type { ServerRequest, ServerResponse } from "./exchange.ts";
import { face } from "./faces/face.ts";
import { actingUser } from "./impersonation.ts";
import { boolean } from "./list-options.ts";
import { outputFormat } from "./negotiation.ts";
import { type RequestInfo, type ResourceRequest, requestInfo } from "./request-info.ts";
import type { Resource, ServedSubresource } from "./resource.ts";
import { headersOf, respond, respondError } from "./respond.ts";
import { internal, methodNotAllowed, noSuchResource, StatusError } from "./status-error.ts";
import { showsTable } from "./view.ts";
import { Warnings } from "./warnings.ts";

/** Answers a request, whatever it is: a refusal and even a failure of our own is an answer. */
export async function handle(engine: Engine, request: ServerRequest): Promise<ServerResponse> {
  const warnings = new Warnings();
  try {
    const info = infoOf(request);
    if (info?.type === "path") return (await shownBy(engine, request)) ?? noSuchPage(engine);
    if (!info || !engine.registry.hasGroup(info.group)) return noSuchPage(engine);
    return await dispatch(engine, { ...request, user: actingUser(request) }, { info, warnings });
  } catch (error) {
    return respondError(engine, request, { error: refusalOf(error), warnings });
  }
}

/** Discovery, documents, health and version, which are not about objects. */
function shownBy({ registry, clock }: Engine, request: ServerRequest): Promise<ServerResponse | undefined> {
  const { host = "localhost" } = request.headers;
  return face(request, registry.list(), { address: host, clock });
}

function infoOf({ path }: ServerRequest): RequestInfo | undefined {
  try {
    return requestInfo(path);
  } catch (error) {
    // A path that cannot be decoded is nobody's.
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function refusalOf(error: unknown): StatusError {
  return error instanceof StatusError ? error : internal(asError(error).message);
}

function noSuchPage(engine: Engine): ServerResponse {
  const headers = headersOf(engine, { type: "text/plain; charset=utf-8" });
  return { type: "whole", status: 404, headers, body: "404 page not found\n" };
}

interface Dispatch {
  readonly info: ResourceRequest;
  readonly warnings: Warnings;
}

async function dispatch(
  engine: Engine,
  request: ServerRequest,
  { info, warnings }: Dispatch,
): Promise<ServerResponse> {
  const target = targetOf(engine, info);
  const verb = verbOf(request, info);
  const action = actionOf(target.resource, target.subresource, verb ?? "");
  if (!verb || !action || !allows(target, verb, info)) throw methodNotAllowed();
  const { resource, subresource } = target;
  const format = outputFormat(request, {
    collection: info.name === undefined && request.method === "GET",
    custom: resource.custom,
    watch: verb === "watch",
    tables: showsTable(resource, subresource),
  });
  const { namespace, name = "" } = info;
  const call: Call = { request, resource, subresource, namespace, name, format, warnings };
  return respond(engine, call, await action(engine, call));
}

interface Target {
  readonly resource: Resource;
  readonly subresource: ServedSubresource | undefined;
}

function targetOf({ registry }: Engine, info: ResourceRequest): Target {
  const resource = registry.get(info);
  if (!resource || info.rest.length > 0 || !inScope(resource, info)) throw noSuchResource();
  if (info.subresource === undefined) return { resource, subresource: undefined };
  const subresource = resource.subresources.find(({ name }) => name === info.subresource);
  if (!subresource) throw noSuchResource();
  return { resource, subresource };
}

/** Objects of namespaced kinds are named in their namespace; others have none. */
function inScope({ namespaced }: Resource, { namespace, name }: ResourceRequest): boolean {
  return namespaced ? namespace !== undefined || name === undefined : namespace === undefined;
}

function verbOf({ method, query }: ServerRequest, { name, watchPath }: ResourceRequest): string | undefined {
  if (name !== undefined) return namedVerbs[method];
  const verb = collectionVerbs[method];
  return verb === "list" && (watchPath || boolean(query, "watch")) ? "watch" : verb;
}

type Verbs = Readonly<Record<string, string | undefined>>;

/** POST to an object is to one of its subresources. */
const namedVerbs: Verbs = { GET: "get", POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" };
const collectionVerbs: Verbs = { GET: "list", POST: "create", DELETE: "deletecollection" };

function allows(
  { resource, subresource }: Target,
  verb: string,
  { namespace, name }: ResourceRequest,
): boolean {
  if (subresource) return subresource.verbs.includes(verb);
  const everywhere = resource.namespaced && namespace === undefined;
  if (everywhere && verb !== "list" && verb !== "watch") return false;
  if (verb === "create" && name !== undefined) return false;
  return resource.verbs.includes(verb);
}
