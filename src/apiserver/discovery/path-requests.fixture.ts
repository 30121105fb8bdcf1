import { VirtualClock } from "../../base/index.ts";
import type { BufferedServerResponse, ServerRequest } from "../exchange.ts";
import type { Resource } from "../resource.ts";
import { ServiceAccountTokens } from "../service-account-tokens.ts";
import { face } from "./non-resource-paths.ts";
import type { FaceContext } from "./path-handler.ts";
import { stable } from "./served.fixture.ts";

export interface VisitOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly resources?: readonly Resource[];
  readonly context?: Partial<FaceContext>;
}

const tokens = new ServiceAccountTokens();

/** When visits are made: 2026-11-16T03:00:00Z. */
export const now = 1_794_798_000_000;

/** What a GET of a path is answered, or nothing if the path is none of ours. */
export async function visit(
  path: string,
  options: VisitOptions = {},
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
  // Nothing that faces answer is a stream.
  return (await face(request, resources, { ...server, ...context })) as BufferedServerResponse | undefined;
}

/** The JSON of an answer. */
export async function read(path: string, options: VisitOptions = {}): Promise<unknown> {
  const answer = await visit(path, options);
  return JSON.parse(String(answer?.body));
}
