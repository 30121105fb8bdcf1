import { apiVersionOf } from "../../api/index.ts";
import type { Resource } from "../types/resource.ts";

/** Returns the deprecation warning of a kind, or an empty text. */
export function deprecationOf(resource: Resource): string {
  if (resource.definition) return resource.definition.deprecation ?? "";
  const kind = `${apiVersionOf(resource)} ${resource.kind}`;
  const rest = deprecations[kind];
  return rest === undefined ? "" : `${kind} is deprecated in ${rest}`;
}

/** The deprecated built-in kinds, since when, and their replacements. */
const deprecations: Readonly<Record<string, string | undefined>> = {
  "v1 ComponentStatus": "v1.19+",
  "v1 Endpoints": "v1.33+; use discovery.k8s.io/v1 EndpointSlice",
};
