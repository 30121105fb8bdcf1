import type { Collection } from "./collection.ts";
import { controlReply } from "./control.ts";
import type { Encoding } from "./encoding.ts";
import { preflightReply } from "./preflight.ts";
import { type Reply, refusal } from "./reply.ts";
import type { Stub } from "./stub.ts";
import { firstResourceVersion } from "./template.ts";

export interface StubRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The accepted media types, from the client's header. */
  readonly accept: string;
  /** An object that identifies the connection. */
  readonly connection: object;
}

/**
 * Responds as an API server: GET, LIST, WATCH, PATCH and PUT of the stub's resources, discovery and access reviews, and
 * `/ctl/` for the bench.
 */
export function answer(stub: Stub, request: StubRequest): Reply {
  const [path = "", queryText = ""] = request.target.split("?");
  const query = new URLSearchParams(queryText);
  if (path.startsWith("/ctl/")) return controlReply(stub, path, query);
  stub.countRequest(request.connection);
  const [, prefix, key, inKey, alone] = pathShape.exec(path) ?? [];
  const collection = stub.collection(inKey ?? alone ?? "");
  if (collection === undefined || collection.template.path !== prefix)
    return preflightReply(path, stub.templates) ?? notFound(path);
  if (key !== undefined) return objectReply(stub, collection, { ...request, key });
  if (request.method !== "GET")
    return refusal(405, "MethodNotAllowed", `expected GET ${path}, got ${request.method}`);
  const asked = { collection, query, encoding: encodingFor(collection, request.accept) };
  return watching(query) ? watchReply(stub, asked) : listReply(stub, asked);
}

/**
 * `PREFIX/pods` or `PREFIX/namespaces/NS/pods/NAME`, with or without a subresource. Lists of one namespace are not
 * served.
 */
const pathShape =
  /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)\/(?:namespaces\/([^/]+\/([^/]+)\/[^/]+)(?:\/\w+)?|([^/]+))$/;

const watching = (query: URLSearchParams) => query.get("watch") === "true" || query.get("watch") === "1";
const notFound = (path: string) =>
  refusal(404, "NotFound", `expected a path of pods or websites, got ${path}`);

/** Returns the object, or with a new resource version for writes. */
function objectReply(
  stub: Stub,
  collection: Collection,
  { key, method, accept }: StubRequest & { readonly key: string },
): Reply {
  const [namespace, , name] = key.split("/");
  const index = collection.indexOf(`${namespace}/${name}`);
  if (index === undefined)
    return refusal(404, "NotFound", `${collection.template.resource} "${name}" not found`);
  const encoding = encodingFor(collection, accept);
  switch (method) {
    case "GET":
      return whole(encoding, encoding.object(index, firstResourceVersion));
    case "PATCH":
    case "PUT":
      stub.versions.current += 1;
      return whole(encoding, encoding.object(index, stub.versions.current));
    default:
      return refusal(405, "MethodNotAllowed", `expected GET, PATCH or PUT, got ${method}`);
  }
}

interface Asked {
  readonly collection: Collection;
  readonly query: URLSearchParams;
  readonly encoding: Encoding;
}

/** Returns protobuf for clients that accept it, if all objects are available in it. */
function encodingFor({ json, protobuf, count }: Collection, accept: string): Encoding {
  const asked = protobuf !== undefined && accept.includes(protobuf.contentType);
  return asked && protobuf.objects.length >= count ? protobuf : json;
}

function listReply(stub: Stub, { collection, query, encoding }: Asked): Reply {
  const from = Number(query.get("continue")?.slice(continuePrefix.length) ?? 0);
  const to = endOfPage(collection.count, from, query);
  const left = collection.count - to;
  const next = left > 0 ? { token: `${continuePrefix}${to}`, left } : undefined;
  const pieces = encoding.list({ from, to, next, resourceVersion: stub.versions.current });
  return whole(encoding, ...pieces);
}

const whole = ({ contentType }: Encoding, ...pieces: readonly Uint8Array[]): Reply => ({
  type: "body",
  status: 200,
  contentType,
  pieces,
});

const continuePrefix = "from-";

/**
 * A limit counts only in a consistent read: with `resourceVersion=0` kube-apiserver responds from its cache, without
 * pages.
 */
function endOfPage(count: number, from: number, query: URLSearchParams): number {
  const limit = Number(query.get("limit") ?? 0);
  const fromCache = query.get("resourceVersion") === "0" && from === 0;
  return limit > 0 && !fromCache ? Math.min(from + limit, count) : count;
}

/** Without a resource version, or with 0, a watch starts with existing objects, unless `sendInitialEvents` is set. */
function watchReply(stub: Stub, { collection, query, encoding }: Asked): Reply {
  const asked = query.get("sendInitialEvents");
  const fromNothing = ["", "0"].includes(query.get("resourceVersion") ?? "");
  const bookmarks = query.get("allowWatchBookmarks") === "true";
  const options = {
    bookmarks,
    initial: asked === null ? fromNothing : asked === "true",
    markEnd: asked === "true" && bookmarks,
    encoding,
  };
  const { watchContentType: contentType } = encoding;
  return { type: "watch", contentType, serve: (sink) => stub.watch(collection, sink, options) };
}
