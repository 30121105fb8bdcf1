import { decodedPath } from "./request-target.ts";

/** What a request is about, read from its path and method alone. */
export type RequestInfo = ResourceRequest | PathRequest;

/** A request about objects, though nobody may serve them. */
export interface ResourceRequest {
  readonly type: "resource";
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Absent where the path names none: a cluster-scoped resource, or all namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
  /** Segments after the subresource: no built-in resource has any. */
  readonly rest: readonly string[];
  /** The path asks for a watch by its old form, `/api/v1/watch/...`. */
  readonly watchPath: boolean;
}

/** A request about anything else: discovery, health, documents. */
export interface PathRequest {
  readonly type: "path";
  /** Without empty segments, each decoded. */
  readonly segments: readonly string[];
}

/**
 * Reads a path:
 *
 *     /api/v1/{plural}[/{name}[/{subresource}]]
 *     /api/v1/namespaces/{namespace}/{plural}[/{name}[/{subresource}]]
 *     /apis/{group}/{version}/...                                        likewise
 *
 * A namespace's own subresources (`status`, `finalize`) are read as such. Throws `URIError` for a broken `%`.
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

/** The real server reads escapes first: `%2F` divides segments too. */
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
