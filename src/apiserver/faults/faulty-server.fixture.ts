import type { KubeObject } from "../../api/index.ts";
import { seededRng, settled, VirtualClock } from "../../base/index.ts";
import { createApiServer } from "../api-server.ts";
import type { Handler, ServerRequest } from "../types/exchange.ts";
import type { FaultRule } from "./fault-rule.ts";
import { withFaults } from "./with-faults.ts";

export const configMaps = "/api/v1/namespaces/default/configmaps";

/** An API server in virtual time that injects faults, and a client of it. */
export interface FaultyServer extends Disposable {
  readonly clock: VirtualClock;
  /** Returns the status code, or "cut", or the number of bytes received and how the response ended. */
  request(method: string, path: string, parts?: RequestParts): Promise<string>;
  /** Creates a ConfigMap. */
  create(name: string): Promise<string>;
  watch(path?: string): Promise<RecordedWatch>;
}

export interface RequestParts {
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RecordedWatch {
  /** Returns the events since the last call, and how the watch ended: "ADDED a", "end", "cut". */
  received(): Promise<string[]>;
  close(): void;
}

export function faultyServer(...rules: readonly FaultRule[]): FaultyServer {
  const clock = new VirtualClock();
  const server = createApiServer({ clock, rng: seededRng(1) });
  const handler = withFaults(server, rules, { clock, rng: seededRng(7) });
  const request = (method: string, path: string, parts?: RequestParts): Promise<string> =>
    outcomeOf(handler, requestOf(method, path, parts));
  return {
    clock,
    request,
    create: (name) => request("POST", configMaps, { body: { metadata: { name } } }),
    watch: (path = configMaps) => recordWatch(handler, path),
    [Symbol.dispose]: () => server.close(),
  };
}

export function requestOf(
  method: string,
  path: string,
  { body, headers = {}, signal }: RequestParts = {},
): ServerRequest {
  const url = new URL(path, "http://localhost");
  return {
    method,
    path: url.pathname,
    query: url.searchParams,
    headers,
    body: Buffer.from(body ? JSON.stringify(body) : ""),
    user: { username: "admin", groups: ["system:masters"] },
    signal: signal ?? new AbortController().signal,
  };
}

async function outcomeOf(handler: Handler, request: ServerRequest): Promise<string> {
  const response = await handler.handle(request);
  if (response.type === "cut") return "cut";
  if (response.type === "buffered") return String(response.status);
  let bytes = 0;
  return new Promise((resolve) => {
    response.start({
      write(chunk) {
        bytes += chunk.length;
        return true;
      },
      onDrain: () => {},
      end: () => resolve(`${bytes} bytes`),
      cut: () => resolve(`cut after ${bytes} of ${String(response.headers["content-length"])} bytes`),
    });
  });
}

async function recordWatch(handler: Handler, path: string): Promise<RecordedWatch> {
  const controller = new AbortController();
  const response = await handler.handle(requestOf("GET", `${path}?watch=1`, { signal: controller.signal }));
  if (response.type !== "stream") throw new Error(`expected a stream, got ${JSON.stringify(response)}`);
  let received: string[] = [];
  response.start({
    write(chunk) {
      received.push(...eventsIn(chunk));
      return true;
    },
    onDrain: () => {},
    end: () => received.push("end"),
    cut: () => received.push("cut"),
  });
  return {
    async received() {
      await settled();
      const latest = received;
      received = [];
      return latest;
    },
    close: () => controller.abort(),
  };
}

interface Event {
  readonly type: string;
  readonly object: KubeObject & { readonly message?: string };
}

/** Every chunk has complete events, one per line. */
function eventsIn(chunk: Buffer): string[] {
  const lines = chunk.toString().split("\n").slice(0, -1);
  return lines.map((line) => {
    const { type, object } = JSON.parse(line) as Event;
    return `${type} ${object.metadata.name ?? object.message}`;
  });
}
