import {
  serveCoreVersion,
  serveCoreVersions,
  serveGroup,
  serveGroups,
  serveVersion,
} from "../discovery/discovery-handlers.ts";
import { pageNotFound, uncachedResponse } from "../discovery/documents.ts";
import { serveHealth } from "../discovery/health.ts";
import { serveOpenIdConfiguration, serveOpenIdKeys } from "../discovery/openid.ts";
import type { PathContext, PathHandler, PathRequest } from "../discovery/path-handler.ts";
import { servePathIndex } from "../discovery/paths-index.ts";
import { servedBy } from "../discovery/served.ts";
import { serveVersionInfo } from "../discovery/version-info.ts";
import { serveOpenApiV2 } from "../openapi/v2-handler.ts";
import { serveOpenApiDocument, serveOpenApiIndex } from "../openapi/v3-handlers.ts";
import type { ServerRequest, ServerResponse } from "../types/exchange.ts";
import type { Resource } from "../types/resource.ts";

/**
 * Serves paths that are not resources: discovery, OpenAPI, health and version. Returns `undefined` for all other paths.
 *
 * Documents are made on the first request, and again after `resources` change. Throws a `StatusError` if the request is
 * rejected, and a `URIError` if the path cannot be decoded.
 */
export async function serveNonResourcePath(
  request: ServerRequest,
  resources: readonly Resource[],
  context: PathContext,
): Promise<ServerResponse | undefined> {
  for (const [pattern, handler] of handlers) {
    const match = pattern.exec(request.path);
    if (!match) continue;
    const parts = match.slice(1).map((part) => part && decodeURIComponent(part));
    return handler({ request, parts, served: servedBy(resources), context });
  }
  return undefined;
}

const handlers: ReadonlyArray<readonly [RegExp, PathHandler]> = [
  [/^\/$/, servePathIndex],
  [/^\/api\/?$/, serveCoreVersions],
  [/^\/apis\/?$/, serveGroups],
  [/^\/api\/([^/]+)\/?$/, serveCoreVersion],
  [/^\/apis\/([^/]+)\/?$/, serveGroup],
  [/^\/apis\/([^/]+)\/([^/]+)\/?$/, serveVersion],
  [/^\/version\/?$/, serveVersionInfo],
  [/^\/(healthz|livez|readyz)(?:\/(.*))?$/, serveHealth],
  [/^\/\.well-known\/openid-configuration(?:\/(.*))?$/, serveOpenIdConfiguration],
  [/^\/openid\/v1\/jwks(?:\/(.*))?$/, serveOpenIdKeys],
  [/^\/openapi\/v2$/, serveOpenApiV2],
  [/^\/openapi\/v3$/, serveOpenApiIndex],
  [/^\/openapi\/v3\/(.*)$/, serveOpenApiDocument],
  [/^\/metrics$/, serveMetrics],
];

async function serveMetrics({ context }: PathRequest): Promise<ServerResponse> {
  if (!context.metrics) return pageNotFound();
  return uncachedResponse(await context.metrics(), { type: "text/plain; version=0.0.4; charset=utf-8" });
}
