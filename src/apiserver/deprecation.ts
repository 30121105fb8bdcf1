import { apiVersionOf } from "./object-text.ts";
import type { Resource } from "./resource.ts";

/** What every request to a kind is warned of; empty for most. */
export function deprecationOf(resource: Resource): string {
  if (resource.definition) return resource.definition.deprecation ?? "";
  const kind = `${apiVersionOf(resource)} ${resource.kind}`;
  const rest = deprecations[kind];
  return rest === undefined ? "" : `${kind} is deprecated in ${rest}`;
}

/** Since when built-in kinds are deprecated, and what to use instead. */
const deprecations: Readonly<Record<string, string | undefined>> = {
  "v1 ComponentStatus": "v1.19+",
  "v1 Endpoints": "v1.33+; use discovery.k8s.io/v1 EndpointSlice",
};
