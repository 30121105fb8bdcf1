import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { asError, type Clock, onAbort, realClock, type Timer } from "../../base/index.ts";
import type { ApiResponse, MessageConnection, MessageReceiver } from "../transport.ts";
import { loadWebSocket, type WebSocketClass } from "./load-web-socket.ts";

export interface WebSocketOptions {
  /** Opens the connection, through TLS and a proxy if needed. */
  readonly openSocket: () => Promise<Socket>;
  readonly url: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly protocol: string;
  /** Ends the connection, also after it is open. */
  readonly signal: AbortSignal | undefined;
  /** Called immediately before the first byte. If it throws, nothing is sent. */
  readonly beforeSend: (() => void) | undefined;
  /** Time limit for the server's response, and for its response to pings. */
  readonly responseTimeoutMs: number;
  /** Names the request in an error of the connection. */
  readonly describe: (error: Error) => Error;
  readonly clock?: Clock | undefined;
}

/** An open WebSocket, or the response of a server that refused it. */
export type UpgradeResult =
  | { readonly status: 101; readonly connection: MessageConnection }
  | { readonly status: number; readonly refusal: ApiResponse; readonly connection?: undefined };

/** Opens a WebSocket with the package `ws`. */
export async function openWebSocket(options: WebSocketOptions): Promise<UpgradeResult> {
  const { signal, beforeSend, describe } = options;
  const WebSocket = await loadWebSocket();
  let socket: Socket;
  try {
    socket = await options.openSocket();
  } catch (error) {
    signal?.throwIfAborted();
    throw describe(asError(error));
  }
  try {
    signal?.throwIfAborted();
    beforeSend?.();
    return await shakeHands(WebSocket, socket, options);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function shakeHands(
  WebSocket: WebSocketClass,
  socket: Socket,
  options: WebSocketOptions,
): Promise<UpgradeResult> {
  const { url, protocol, signal, describe } = options;
  const client = new WebSocket(url, [protocol], {
    createConnection: () => socket,
    headers: recordOf(options.headers),
    handshakeTimeout: options.responseTimeoutMs,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
  });
  return new Promise((resolve, reject) => {
    const aborted = onAbort(signal, (reason) => {
      client.once("error", () => {}); // the error of a connection that was closed before it was open
      client.terminate();
      reject(asError(reason));
    });
    const settled = (): void => aborted[Symbol.dispose]();
    client.once("error", (error) => {
      settled();
      reject(describe(error));
    });
    client.once("unexpected-response", (_request, response) => {
      settled();
      refusalOf(response).then((refusal) => resolve({ status: refusal.status, refusal }), reject);
    });
    client.once("open", () => {
      settled();
      client.removeAllListeners("error");
      resolve({ status: 101, connection: new OpenWebSocket(client, options) });
    });
  });
}

/** Reads the start of the response of a server that refused the WebSocket. */
async function refusalOf(response: IncomingMessage): Promise<ApiResponse> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxRefusalBytes) break;
  }
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
}

function recordOf(list: readonly string[]): Record<string, string | string[]> {
  const record: Record<string, string | string[]> = {};
  for (let at = 0; at + 1 < list.length; at += 2) {
    const [name = "", value = ""] = list.slice(at, at + 2);
    const before = record[name];
    record[name] = before === undefined ? value : [before, value].flat();
  }
  return record;
}

/** A WebSocket of the package `ws`. Paused until `receive`. */
class OpenWebSocket implements MessageConnection {
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #options: WebSocketOptions;
  readonly #clock: Clock;
  #receiver: MessageReceiver | undefined;
  /** The outcome before `receive`: an error, or the end. */
  #outcome: { readonly error: Error | undefined } | undefined;
  #ping: Timer | undefined;
  /** Monotonic time of the last sign of the server. */
  #heardMs: number;

  constructor(socket: WebSocket, options: WebSocketOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#heardMs = this.#clock.monotonic();
    socket.pause();
    const aborted = onAbort(options.signal, (reason) => {
      this.#end(asError(reason));
      socket.terminate();
    });
    this.closed = new Promise((resolve) => {
      socket.once("close", (code, reason) => {
        aborted[Symbol.dispose]();
        this.#ping?.cancel();
        this.#end(closeError(code, reason.toString()));
        resolve();
      });
    });
    socket.on("error", (error) => this.#end(error));
    socket.on("pong", () => this.#heard());
    socket.on("message", (data) => this.#deliver(data as Buffer)); // `ws` creates buffers by default
    this.#schedulePing();
  }

  receive(receiver: MessageReceiver): void {
    if (this.#receiver) return;
    this.#receiver = receiver;
    if (this.#outcome) this.#finish(receiver, this.#outcome.error);
    else this.#socket.resume();
  }

  send(message: Uint8Array, onSent: (error?: Error | null) => void): void {
    this.#socket.send(message, { binary: true }, onSent);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#heard(); // while paused, no pong was read
    this.#socket.resume();
  }

  close(): void {
    this.#receiver = silent;
    this.#outcome ??= { error: undefined };
    this.#socket.resume(); // to read the server's part of the close
    this.#socket.close(1000);
    this.#clock.timer(closeMs, () => this.#socket.terminate(), { background: true });
  }

  #deliver(data: Buffer): void {
    this.#heard();
    if (!this.#outcome) this.#receiver?.onMessage(data);
  }

  #heard(): void {
    this.#heardMs = this.#clock.monotonic();
  }

  #schedulePing(): void {
    this.#ping = this.#clock.timer(pingMs, () => this.#check(), { background: true });
  }

  #check(): void {
    const silentMs = this.#clock.monotonic() - this.#heardMs;
    if (!this.#socket.isPaused && silentMs > this.#options.responseTimeoutMs) {
      this.#end(Object.assign(new Error(`the server was silent for ${silentMs} ms`), { code: "ETIMEDOUT" }));
      return this.#socket.terminate();
    }
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
    this.#schedulePing();
  }

  #end(error: Error | undefined): void {
    if (this.#outcome) return;
    this.#outcome = { error };
    if (this.#receiver) this.#finish(this.#receiver, error);
  }

  /** An abort is reported with its own reason, every other error with the request. */
  #finish(receiver: MessageReceiver, error: Error | undefined): void {
    const { signal, describe } = this.#options;
    if (!error) receiver.onEnd();
    else receiver.onError(signal?.aborted ? error : describe(error));
  }
}

/** Returns the error of a connection that was not closed normally. */
function closeError(code: number, reason: string): Error | undefined {
  if (code === 1000 || code === 1005) return undefined; // 1005: closed without a code
  if (code === 1006) return Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
  const text = reason === "" ? "" : `: ${reason}`;
  return Object.assign(new Error(`WebSocket closed with ${code}${text}`), { code: `WS_${code}` });
}

const silent: MessageReceiver = { onMessage() {}, onEnd() {}, onError() {} };

/** The period of client-go. */
const pingMs = 5_000;
/** Time for the server's part of a close. */
const closeMs = 2_000;
const maxMessageBytes = 32 * 1024 * 1024;
const maxRefusalBytes = 64 * 1024;
