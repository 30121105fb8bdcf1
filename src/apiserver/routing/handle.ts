import { asError, uuid } from "../../base/index.ts";
import { goQuoted } from "../../schema/index.ts";
import { actingUser } from "../auth/impersonation.ts";
import { checkBodyLength } from "../codec/body-limit.ts";
import { outputFormat } from "../codec/negotiation.ts";
import { showsTable } from "../printers/response-transformer.ts";
import { StaleError, TooLargeError } from "../storage/storage.ts";
import type { AuthenticatedRequest, ServerRequest, ServerResponse } from "../types/exchange.ts";
import { internal, methodNotAllowed, modified, StatusError, unknownError } from "../types/status-error.ts";
import { Warnings } from "../types/warnings.ts";
import { checkNameInPath } from "../validation/name-in-path.ts";
import type { Call, Engine } from "../verbs/engine.ts";
import type { VerbResult } from "../verbs/verb-result.ts";
import { type Action, actionOf } from "./actions.ts";
import { targetOf } from "./call-target.ts";
import { deprecationOf } from "./deprecation.ts";
import { serveNonResourcePath } from "./non-resource-paths.ts";
import { type RequestInfo, type ResourceRequest, requestInfo } from "./request-info.ts";
import { checkTimeout, writeTimeoutMs } from "./request-timeout.ts";
import { verbOf } from "./request-verb.ts";
import { headersOf, respond, respondError } from "./respond.ts";

/** Handles a request. Never rejects: refusals and internal errors become responses, too. */
export async function handle(engine: Engine, request: ServerRequest): Promise<ServerResponse> {
  const warnings = new Warnings();
  try {
    const user = actingUser(request);
    const info = infoOf(request);
    if (info === undefined) return page(engine, 400, "400 Bad Request");
    if (isWatchWithoutResource(info)) return page(engine, 500, watchWithoutResource(request));
    if (!isWatch(request, info)) checkTimeout(request.query);
    if (info.type === "path") return (await servePath(engine, request)) ?? pageNotFound(engine);
    if (!engine.registry.hasGroup(info.group)) return pageNotFound(engine);
    return await dispatch(engine, { ...request, user }, { info, warnings });
  } catch (error) {
    return respondError(engine, request, { error: asStatusError(error), warnings });
  }
}

/** Serves paths that are not about objects: discovery, OpenAPI, health and version. */
async function servePath(engine: Engine, request: ServerRequest): Promise<ServerResponse | undefined> {
  const { registry, clock, tokens, rng } = engine;
  const { host = "localhost" } = request.headers;
  const response = await serveNonResourcePath(request, registry.list(), { address: host, clock, tokens });
  return response && { ...response, headers: { "audit-id": uuid(rng), ...response.headers } };
}

/** Returns true for the old form of a watch, `/watch`, without a resource. kube-apiserver fails on it with a 500. */
function isWatchWithoutResource(info: RequestInfo): boolean {
  return info.type === "resource" && info.plural === "watch" && info.name === undefined;
}

function watchWithoutResource({ path }: ServerRequest): string {
  const why = `unable to determine kind and namespace from url, ${path}`;
  return `Internal Server Error: ${goQuoted(path)}: failed to create RequestInfo: ${why}\n`;
}

function isWatch(request: ServerRequest, info: RequestInfo | undefined): boolean {
  return info?.type === "resource" && verbOf(request, info) === "watch";
}

function infoOf({ path }: ServerRequest): RequestInfo | undefined {
  try {
    return requestInfo(path);
  } catch (error) {
    // A path that cannot be decoded is a bad request.
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function asStatusError(error: unknown): StatusError {
  if (error instanceof TooLargeError) return unknownError("etcdserver: request is too large");
  return error instanceof StatusError ? error : internal(asError(error).message);
}

function pageNotFound(engine: Engine): ServerResponse {
  return page(engine, 404, "404 page not found\n");
}

function page(engine: Engine, status: number, body: string): ServerResponse {
  const headers = headersOf(engine, { type: "text/plain; charset=utf-8" });
  return { type: "buffered", status, headers, body };
}

interface Dispatch {
  readonly info: ResourceRequest;
  readonly warnings: Warnings;
}

async function dispatch(
  engine: Engine,
  request: AuthenticatedRequest,
  { info, warnings }: Dispatch,
): Promise<ServerResponse> {
  const target = targetOf(engine.registry, request, info);
  if (!target) return pageNotFound(engine);
  const { resource, subresource, verb } = target;
  warnings.add(deprecationOf(resource));
  const action = actionOf(resource, subresource, verb);
  if (!action) throw methodNotAllowed();
  const format = outputFormat(request, {
    collection: info.name === undefined && request.method === "GET",
    custom: resource.custom,
    watch: verb === "watch",
    tables: showsTable(resource, subresource),
  });
  checkBodyLength(request);
  const { namespace, name = "" } = info;
  checkNameInPath(name);
  const endsAtMs = engine.clock.monotonic() + writeTimeoutMs(request.query);
  const call: Call = { request, resource, subresource, namespace, name, format, warnings, endsAtMs };
  return respond(engine, call, await perform(action, engine, call));
}

/**
 * Performs a verb. A write that takes long pauses, and waits for webhooks. If another request changes its object
 * meanwhile, the write starts again with the same body, as writes of kube-apiserver do.
 */
async function perform(action: Action, engine: Engine, call: Call): Promise<VerbResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action(engine, call);
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
      if (attempt === maxAttempts) throw modified(call.resource, call.name);
    }
  }
}

const maxAttempts = 100;
