import type { KubeObject, List, Status } from "../api/index.ts";
import { seededRng, settled, VirtualClock } from "../base/index.ts";
import { type ApiServer, type ApiServerOptions, createApiServer } from "./api-server.ts";
import type { ServerResponse } from "./types/exchange.ts";
import { bodyBytes } from "./types/response-body.ts";

/** A server on virtual time, and requests to it. */
export interface TestServer extends Disposable {
  readonly server: ApiServer;
  readonly clock: VirtualClock;
  /** Returns the code and the body of the response, parsed if it is JSON. */
  send(method: string, path: string, options?: SendOptions): Promise<TestResponse>;
  /** Returns the object of a successful response. */
  object(method: string, path: string, body?: unknown): Promise<KubeObject & Record<string, unknown>>;
  list(path: string): Promise<List<KubeObject>>;
  /** Returns the Status of a refused request. */
  refusal(method: string, path: string, body?: unknown): Promise<Status>;
  watch(path: string): Promise<TestWatch>;
}

export interface SendOptions {
  /** The body. A string is sent as it is, everything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface TestResponse {
  readonly code: number;
  readonly headers: ServerResponse["headers"];
  readonly body: unknown;
}

export function testServer(options: ApiServerOptions = {}): TestServer {
  const clock = new VirtualClock();
  const server = createApiServer({ clock, rng: seededRng(1), ...options });
  const send = (method: string, path: string, sending: SendOptions = {}): Promise<TestResponse> =>
    buffered(exchange(server, `${method} ${path}`, sending));
  return {
    server,
    clock,
    send,
    object: async (method, path, body) => succeeded(await send(method, path, { body })),
    list: async (path) => succeeded(await send("GET", path)) as unknown as List<KubeObject>,
    refusal: async (method, path, body) => refused(await send(method, path, { body })),
    watch: (path) => testWatch(server, path),
    [Symbol.dispose]: () => server.close(),
  };
}

/** Sends a request. Returns the response of the server. */
export function exchange(
  server: ApiServer,
  line: string,
  { body, headers = {}, signal }: SendOptions,
): Promise<ServerResponse> {
  const [method = "", target = ""] = line.split(" ");
  const [path = "", query = ""] = target.split("?");
  return server.handle({
    method,
    path,
    query: new URLSearchParams(query),
    headers: { "user-agent": "test", ...headers },
    body: Buffer.from(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body)),
    user: { username: "admin", groups: ["system:masters"] },
    signal: signal ?? new AbortController().signal,
  });
}

async function buffered(pending: Promise<ServerResponse>): Promise<TestResponse> {
  const response = await pending;
  if (response.type !== "buffered") throw new Error("expected a buffered response, got a stream");
  const { status: code, headers, body } = response;
  const json = headers["content-type"] === "application/json";
  const text = String(bodyBytes(body));
  return { code, headers, body: json ? JSON.parse(text) : text };
}

function succeeded({ code, body }: TestResponse): KubeObject & Record<string, unknown> {
  if (code >= 300) throw new Error(`expected success, got ${code}: ${JSON.stringify(body)}`);
  return body as KubeObject & Record<string, unknown>;
}

function refused({ code, body }: TestResponse): Status {
  if (code < 400) throw new Error(`expected a refusal, got ${code}: ${JSON.stringify(body)}`);
  return body as Status;
}

/** A watch that reads all events at once unless it is paused. */
export interface TestWatch {
  /** Returns the events since the last call. */
  events(): Promise<Array<{ type: string; object: KubeObject & Record<string, unknown> }>>;
  readonly ended: boolean;
  /** Reads nothing until `resume`. */
  pause(): void;
  resume(): void;
  /** Disconnects. */
  leave(): void;
}

async function testWatch(server: ApiServer, path: string): Promise<TestWatch> {
  const disconnect = new AbortController();
  const response = await exchange(server, `GET ${path}`, { signal: disconnect.signal });
  if (response.type !== "stream")
    throw new Error(`expected a stream, got ${response.status}: ${response.body}`);
  const state = { text: "", ended: false, paused: false, drain: () => {} };
  response.start({
    write(chunk) {
      state.text += chunk.toString();
      return !state.paused;
    },
    onDrain(listener) {
      state.drain = listener;
    },
    end() {
      state.ended = true;
    },
    cut() {
      state.ended = true;
    },
  });
  return {
    async events() {
      await settled();
      const lines = state.text.split("\n").filter((line) => line !== "");
      state.text = "";
      return lines.map((line) => JSON.parse(line));
    },
    get ended() {
      return state.ended;
    },
    pause() {
      state.paused = true;
    },
    resume() {
      state.paused = false;
      state.drain();
    },
    leave: () => disconnect.abort(),
  };
}
