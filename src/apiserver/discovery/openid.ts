import type { ServerRequest, ServerResponse } from "../exchange.ts";
import { defaultAudience } from "../service-account-tokens.ts";
import { noSuchResource } from "../status-error.ts";
import { checkOnly, type PlainOptions, plain } from "./documents.ts";
import type { Visit } from "./path-handler.ts";

/** `/.well-known/openid-configuration`: who makes the tokens of service accounts, and where the keys to them are. */
export function openIdFace({ request, parts: [rest], context: { address, tokens } }: Visit): ServerResponse {
  const type = "application/json";
  check(request, { rest, type });
  const document = {
    issuer: defaultAudience,
    jwks_uri: `https://${address}${keysPath}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: tokens.publicKeys().map(({ alg }) => alg),
  };
  return kept(JSON.stringify(document), { type });
}

/** `/openid/v1/jwks`: the keys by which anybody can check those tokens. */
export function openIdKeysFace({ request, parts: [rest], context: { tokens } }: Visit): ServerResponse {
  const type = "application/jwk-set+json";
  check(request, { rest, type });
  return kept(JSON.stringify({ keys: tokens.publicKeys() }), { type });
}

const keysPath = "/openid/v1/jwks";

interface Asked {
  /** Of the path, after what is served. */
  readonly rest: string | undefined;
  readonly type: string;
}

function check(request: ServerRequest, { rest, type }: Asked): void {
  if (rest) throw noSuchResource();
  checkOnly(request, type);
}

/** What anybody on the way may keep for an hour. */
function kept(body: string, options: PlainOptions): ServerResponse {
  const answer = plain(body, options);
  return { ...answer, headers: { ...answer.headers, "cache-control": "public, max-age=3600" } };
}
