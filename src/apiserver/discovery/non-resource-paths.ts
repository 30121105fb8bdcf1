import type { ServerRequest, ServerResponse } from "../exchange.ts";
import { serveOpenApiV2 } from "../openapi/v2-handler.ts";
import { serveOpenApiDocument, serveOpenApiIndex } from "../openapi/v3-handlers.ts";
import type { Resource } from "../resource.ts";
import {
  serveCoreVersion,
  serveCoreVersions,
  serveGroup,
  serveGroups,
  serveVersion,
} from "./discovery-handlers.ts";
import { pageNotFound, uncachedResponse } from "./documents.ts";
import { serveHealth } from "./health.ts";
import { serveOpenIdConfiguration, serveOpenIdKeys } from "./openid.ts";
import type { PathContext, PathHandler, PathRequest } from "./path-handler.ts";
import { servePathIndex } from "./paths-index.ts";
import { servedBy } from "./served.ts";
import { serveVersionInfo } from "./version-info.ts";

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
