import type { ServerResponse } from "../exchange.ts";
import { plain } from "./documents.ts";
import { checksOf } from "./health.ts";
import type { Visit } from "./path-handler.ts";

/** `/`: the paths there are, for people who look around. */
export function indexFace({ served, context }: Visit): ServerResponse {
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
  return plain(JSON.stringify({ paths: paths.sort() }, undefined, 2), { type: "application/json" });
}
