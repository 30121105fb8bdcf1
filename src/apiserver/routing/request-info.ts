import { decodedPath } from "../http/request-target.ts";

/** The subject of a request, determined by its path. */
export type RequestInfo = ResourceRequest | PathRequest;

/** A request for objects, whose resource may not exist. */
export interface ResourceRequest {
  readonly type: "resource";
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Absent for cluster-scoped resources and for requests to all namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
  /** Path segments after the subresource. Built-in resources have none. */
  readonly rest: readonly string[];
  /** True for the old form of a watch, `/api/v1/watch/...`. */
  readonly watchPath: boolean;
}

/** A request that is not about objects: discovery, health, OpenAPI. */
export interface PathRequest {
  readonly type: "path";
  /** The decoded, non-empty segments of the path. */
  readonly segments: readonly string[];
}

/**
 * Reads a path:
 *
 *     /api/v1/{plural}[/{name}[/{subresource}]]
 *     /api/v1/namespaces/{namespace}/{plural}[/{name}[/{subresource}]]
 *     /apis/{group}/{version}/...                                        likewise
 *
 * The subresources of a namespace (`status`, `finalize`) are recognized. Throws `URIError` for a broken `%`.
 */
export function requestInfo(path: string): RequestInfo {
  const segments = segmentsOf(path);
  const grouped = segments[0] === "apis";
  const at = grouped ? 3 : 2;
  if ((!grouped && segments[0] !== "api") || segments.length <= at) return { type: "path", segments };
  const watchPath = segments[at] === "watch" && segments.length > at + 1;
  const [version = "", group = ""] = segments.slice(1, at).reverse();
  return { type: "resource", group, version, watchPath, ...placeOf(segments.slice(watchPath ? at + 1 : at)) };
}

/** Splits a path after decoding, like kube-apiserver: `%2F` separates segments, too. */
function segmentsOf(path: string): string[] {
  const decoded = decodedPath(path);
  if (decoded === undefined) throw new URIError(`expected a path, got a broken % in ${path}`);
  return decoded.replace(/^\//, "").replace(/\/+$/, "").split("/");
}

type Place = Pick<ResourceRequest, "namespace" | "plural" | "name" | "subresource" | "rest">;

const namespaceSubresources: ReadonlySet<string | undefined> = new Set([undefined, "status", "finalize"]);

function placeOf(parts: readonly string[]): Place {
  if (parts[0] !== "namespaces" || namespaceSubresources.has(parts[2])) return unscoped(parts);
  return { namespace: parts[1], ...unscoped(parts.slice(2)) };
}

function unscoped([plural = "", name, subresource, ...rest]: readonly string[]): Place {
  return { plural, name, subresource, rest };
}
