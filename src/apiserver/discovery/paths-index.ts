import type { ServerResponse } from "../types/exchange.ts";
import { uncachedResponse } from "./documents.ts";
import { checksOf } from "./health.ts";
import type { PathRequest } from "./path-handler.ts";

/** Serves `/`: the list of all paths. */
export function servePathIndex({ served, context }: PathRequest): ServerResponse {
  const groups = served.groups.flatMap(({ name, versions }) => {
    const base = name === "" ? "/api" : `/apis/${name}`;
    return [base, ...versions.map(({ version }) => `${base}/${version}`)];
  });
  const health = ["healthz", "livez", "readyz"].flatMap((endpoint) => [
    `/${endpoint}`,
    ...checksOf(context, endpoint).map(({ name }) => `/${endpoint}/${name}`),
  ]);
  const openId = ["/.well-known/openid-configuration", "/openid/v1/jwks"];
  const others = ["/apis", "/apis/", ...openId, "/openapi/v2", "/openapi/v3", "/openapi/v3/", "/version"];
  const paths = [...groups, ...health, ...others, ...(context.metrics ? ["/metrics"] : [])];
  return uncachedResponse(JSON.stringify({ paths: paths.sort() }, undefined, 2), {
    type: "application/json",
  });
}
