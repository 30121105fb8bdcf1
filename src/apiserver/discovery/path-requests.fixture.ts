import { VirtualClock } from "../../base/index.ts";
import { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import { serveNonResourcePath } from "../routing/non-resource-paths.ts";
import type { BufferedServerResponse, ServerRequest } from "../types/exchange.ts";
import type { Resource } from "../types/resource.ts";
import type { PathContext } from "./path-handler.ts";
import { stable } from "./served.fixture.ts";

export interface PathRequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly resources?: readonly Resource[];
  readonly context?: Partial<PathContext>;
}

const tokens = new ServiceAccountTokens();

/** The time of the requests: 2026-11-16T03:00:00Z. */
export const now = 1_794_798_000_000;

/** Requests a path. Returns `undefined` if it is not a non-resource path. */
export async function requestPath(
  path: string,
  options: PathRequestOptions = {},
): Promise<BufferedServerResponse | undefined> {
  const { method = "GET", headers = {}, resources = stable, context } = options;
  const { pathname, searchParams } = new URL(path, "http://server");
  const request: ServerRequest = {
    method,
    path: pathname,
    query: searchParams,
    headers,
    body: Buffer.alloc(0),
    user: { username: "admin", groups: [] },
    signal: new AbortController().signal,
  };
  const server = { address: "127.0.0.1:6443", clock: new VirtualClock(now), tokens };
  // No non-resource path streams its response.
  return (await serveNonResourcePath(request, resources, { ...server, ...context })) as
    | BufferedServerResponse
    | undefined;
}

/** Returns the JSON of a response. */
export async function readJson(path: string, options: PathRequestOptions = {}): Promise<unknown> {
  const response = await requestPath(path, options);
  return JSON.parse(String(response?.body));
}
