import type { KubeObject } from "../../api/index.ts";
import { seededRng, settled, VirtualClock } from "../../base/index.ts";
import { createApiServer } from "../api-server.ts";
import type { Handler, ServerRequest } from "../exchange.ts";
import type { FaultRule } from "./fault-rule.ts";
import { withFaults } from "./with-faults.ts";

export const configMaps = "/api/v1/namespaces/default/configmaps";

/** A server on virtual time on which things go wrong, and what its clients see. */
export interface FaultyServer extends Disposable {
  readonly clock: VirtualClock;
  /** The code, or "cut", "cut in the middle" and what came before. */
  ask(method: string, path: string, asking?: Asking): Promise<string>;
  /** Makes a ConfigMap. */
  make(name: string): Promise<string>;
  watch(path?: string): Promise<WatchStory>;
}

export interface Asking {
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WatchStory {
  /** Types of events since the last call with names, and how it ended: "ADDED a", "end", "cut". */
  heard(): Promise<string[]>;
  leave(): void;
}

export function faultyServer(...rules: readonly FaultRule[]): FaultyServer {
  const clock = new VirtualClock();
  const server = createApiServer({ clock, rng: seededRng(1) });
  const handler = withFaults(server, rules, { clock, rng: seededRng(7) });
  const ask = (method: string, path: string, asking?: Asking): Promise<string> =>
    outcome(handler, requestOf(method, path, asking));
  return {
    clock,
    ask,
    make: (name) => ask("POST", configMaps, { body: { metadata: { name } } }),
    watch: (path = configMaps) => watchStory(handler, path),
    [Symbol.dispose]: () => server.close(),
  };
}

export function requestOf(
  method: string,
  path: string,
  { body, headers = {}, signal }: Asking = {},
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

async function outcome(handler: Handler, request: ServerRequest): Promise<string> {
  const answer = await handler.handle(request);
  if (answer.type === "cut") return "cut";
  if (answer.type === "buffered") return String(answer.status);
  let bytes = 0;
  return new Promise((resolve) => {
    answer.start({
      write(chunk) {
        bytes += chunk.length;
        return true;
      },
      onDrain: () => {},
      end: () => resolve(`${bytes} bytes`),
      cut: () => resolve(`cut after ${bytes} of ${String(answer.headers["content-length"])} bytes`),
    });
  });
}

async function watchStory(handler: Handler, path: string): Promise<WatchStory> {
  const gone = new AbortController();
  const answer = await handler.handle(requestOf("GET", `${path}?watch=1`, { signal: gone.signal }));
  if (answer.type !== "stream") throw new Error(`expected a stream, got ${JSON.stringify(answer)}`);
  let heard: string[] = [];
  answer.start({
    write(chunk) {
      heard.push(...eventsIn(chunk));
      return true;
    },
    onDrain: () => {},
    end: () => heard.push("end"),
    cut: () => heard.push("cut"),
  });
  return {
    async heard() {
      await settled();
      const since = heard;
      heard = [];
      return since;
    },
    leave: () => gone.abort(),
  };
}

interface Event {
  readonly type: string;
  readonly object: KubeObject & { readonly message?: string };
}

/** Every line is a whole event, or it cannot be parsed. */
function eventsIn(chunk: Buffer): string[] {
  const lines = chunk.toString().split("\n").slice(0, -1);
  return lines.map((line) => {
    const { type, object } = JSON.parse(line) as Event;
    return `${type} ${object.metadata.name ?? object.message}`;
  });
}
