import { defaultAudience } from "../auth/service-account-tokens.ts";
import type { ServerRequest, ServerResponse } from "../types/exchange.ts";
import { noSuchResource } from "../types/status-error.ts";
import { requireGetOf, type UncachedOptions, uncachedResponse } from "./documents.ts";
import type { PathRequest } from "./path-handler.ts";

/** Serves `/.well-known/openid-configuration`: the issuer of service account tokens and the address of its keys. */
export function serveOpenIdConfiguration({
  request,
  parts: [rest],
  context: { address, tokens },
}: PathRequest): ServerResponse {
  const type = "application/json";
  checkRequest(request, { rest, type });
  const document = {
    issuer: defaultAudience,
    jwks_uri: `https://${address}${keysPath}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: tokens.publicKeys().map(({ alg }) => alg),
  };
  return cacheableResponse(JSON.stringify(document), { type });
}

/** Serves `/openid/v1/jwks`: the public keys that verify service account tokens. */
export function serveOpenIdKeys({
  request,
  parts: [rest],
  context: { tokens },
}: PathRequest): ServerResponse {
  const type = "application/jwk-set+json";
  checkRequest(request, { rest, type });
  return cacheableResponse(JSON.stringify({ keys: tokens.publicKeys() }), { type });
}

const keysPath = "/openid/v1/jwks";

interface ExpectedRequest {
  /** The part of the path after the served path. */
  readonly rest: string | undefined;
  readonly type: string;
}

function checkRequest(request: ServerRequest, { rest, type }: ExpectedRequest): void {
  if (rest) throw noSuchResource();
  requireGetOf(request, type);
}

/** Returns a response that caches may keep for an hour. */
function cacheableResponse(body: string, options: UncachedOptions): ServerResponse {
  const response = uncachedResponse(body, options);
  return { ...response, headers: { ...response.headers, "cache-control": "public, max-age=3600" } };
}
