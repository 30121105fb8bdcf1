import type { Tracer } from "../base/index.ts";
import { type ApiRequest, type Transport, upgradeThrough } from "./transport.ts";

/**
 * Creates a span for every buffered request, including its retries, and sends the trace context to the server. Watches
 * and WebSockets have no span, because they do not end on their own.
 */
export function traced(transport: Transport, tracer: Tracer): Transport {
  const { hostname = transport.server, port } = addressOf(transport.server);
  const attributesOf = ({ method, path }: ApiRequest): Record<string, string | number> => ({
    "http.request.method": method,
    "url.path": pathOf(path),
    "server.address": hostname,
    ...(port && { "server.port": Number(port) }),
  });
  return {
    server: transport.server,
    send: (request) =>
      tracer.trace(
        { name: callName(request), kind: "client", attributes: () => attributesOf(request) },
        async (span) => {
          const headers = { ...request.headers, ...tracer.headers() };
          const response = await transport.send({ ...request, headers });
          span.set({ "http.response.status_code": response.status });
          if (response.status >= 400) span.fail(new Error(`failed with ${response.status}`));
          return response;
        },
      ),
    open: (request) => transport.open(request),
    upgrade: upgradeThrough(transport, (request, upgrade) => upgrade(request)),
    close: () => transport.close(),
  };
}

/**
 * Returns the method and resource: `PATCH deployments/status`. The number of names does not grow with the number of
 * objects.
 */
export function callName({ method, path }: Pick<ApiRequest, "method" | "path">): string {
  const parts = pathOf(path).split("/").slice(1);
  const inGroup = parts[0] === "api" ? parts.slice(2) : parts[0] === "apis" ? parts.slice(3) : [];
  const [resource, , subresource] = isInNamespace(inGroup) ? inGroup.slice(2) : inGroup;
  if (resource === undefined) return method;
  return `${method} ${resource}${subresource === undefined ? "" : `/${subresource}`}`;
}

/** Returns true if the path is inside a namespace, not about the Namespace object or its subresources. */
function isInNamespace([resource, , next]: readonly string[]): boolean {
  return resource === "namespaces" && next !== undefined && next !== "status" && next !== "finalize";
}

function pathOf(path: string): string {
  const query = path.indexOf("?");
  return query < 0 ? path : path.slice(0, query);
}

function addressOf(server: string): Partial<Pick<URL, "hostname" | "port">> {
  return URL.canParse(server) ? new URL(server) : {};
}
