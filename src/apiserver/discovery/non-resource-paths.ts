import type { ServerRequest, ServerResponse } from "../exchange.ts";
import { openApiV2Face } from "../openapi/v2-handler.ts";
import { openApiFace, openApiIndexFace } from "../openapi/v3-handlers.ts";
import type { Resource } from "../resource.ts";
import { coreFace, coreVersionFace, groupFace, groupsFace, versionFace } from "./discovery-handlers.ts";
import { pageNotFound, plain } from "./documents.ts";
import { healthFace } from "./health.ts";
import { openIdFace, openIdKeysFace } from "./openid.ts";
import type { Face, FaceContext, Visit } from "./path-handler.ts";
import { indexFace } from "./paths-index.ts";
import { servedBy } from "./served.ts";
import { versionInfoFace } from "./version-info.ts";

/**
 * Answers what is not about objects: discovery, documents, health, version. Gives nothing for all other paths.
 *
 * Documents are made when they are first asked for, and again when `resources` change. Throws a `StatusError` where
 * the request is refused, and `URIError` for a path that cannot be decoded.
 */
export async function face(
  request: ServerRequest,
  resources: readonly Resource[],
  context: FaceContext,
): Promise<ServerResponse | undefined> {
  for (const [pattern, answer] of faces) {
    const found = pattern.exec(request.path);
    if (!found) continue;
    const parts = found.slice(1).map((part) => part && decodeURIComponent(part));
    return answer({ request, parts, served: servedBy(resources), context });
  }
  return undefined;
}

const faces: ReadonlyArray<readonly [RegExp, Face]> = [
  [/^\/$/, indexFace],
  [/^\/api\/?$/, coreFace],
  [/^\/apis\/?$/, groupsFace],
  [/^\/api\/([^/]+)\/?$/, coreVersionFace],
  [/^\/apis\/([^/]+)\/?$/, groupFace],
  [/^\/apis\/([^/]+)\/([^/]+)\/?$/, versionFace],
  [/^\/version\/?$/, versionInfoFace],
  [/^\/(healthz|livez|readyz)(?:\/(.*))?$/, healthFace],
  [/^\/\.well-known\/openid-configuration(?:\/(.*))?$/, openIdFace],
  [/^\/openid\/v1\/jwks(?:\/(.*))?$/, openIdKeysFace],
  [/^\/openapi\/v2$/, openApiV2Face],
  [/^\/openapi\/v3$/, openApiIndexFace],
  [/^\/openapi\/v3\/(.*)$/, openApiFace],
  [/^\/metrics$/, metricsFace],
];

async function metricsFace({ context }: Visit): Promise<ServerResponse> {
  if (!context.metrics) return pageNotFound();
  return plain(await context.metrics(), { type: "text/plain; version=0.0.4; charset=utf-8" });
}
