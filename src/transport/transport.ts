import { type Clock, realClock } from "../base/index.ts";
import { GrowingBuffer } from "./json/growing-buffer.ts";

/**
 * Carries requests to one API server and returns the responses as bytes.
 *
 * HTTP is one implementation, a server in the same process is another.
 */
export interface Transport {
  /** The server's URL or name, for messages: "https://10.0.0.1:6443". */
  readonly server: string;
  /**
   * Resolves with the complete response, for every status. Rejects with a `ConnectionError` if there was no response.
   */
  send(request: ApiRequest): Promise<ApiResponse>;
  /** Resolves with the head of the response. The body follows in chunks, on its own connection. */
  open(request: ApiRequest): Promise<OpenResponse>;
  /**
   * Opens a WebSocket on its own connection. Rejects with an `ApiError` if the server refuses it. A transport without it
   * has no `exec` and `attach`; a layer passes it on. The request's signal ends the connection, too.
   */
  readonly upgrade?: Upgrade | undefined;
  /** Aborts running requests and closes all connections. Idempotent. */
  close(): Promise<void>;
}

export type Upgrade = (request: UpgradeRequest) => Promise<MessageConnection>;

export interface ApiRequest {
  readonly method: Method;
  /** Path and query from the API server's root: "/api/v1/pods?limit=500". */
  readonly path: string;
  readonly headers?: RequestHeaders | undefined;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called immediately before the first byte is sent, for every attempt. If it throws, nothing is sent and the request
   * fails with that error.
   */
  readonly beforeSend?: (() => void) | undefined;
  /**
   * Requests of one lane share connections that no other request uses, and are exempt from the client's rate limit. Use
   * it for requests that must not wait behind others, such as the renewal of a lease. @default the shared connections
   */
  readonly lane?: string | undefined;
  /** The part of this program that sends the request. It is appended to the user agent, for the server's logs. */
  readonly component?: string | undefined;
  /**
   * Creates a reader that receives the body of a 200 response chunk by chunk, in place of `ApiResponse.body`. Each
   * attempt creates a reader, and the last one is valid. A transport with buffered responses may ignore it.
   */
  readonly reader?: (() => BodyReader) | undefined;
  /**
   * True if the response may be large enough to compress. A network transport then requests gzip and decompresses it;
   * others ignore this. @default false
   */
  readonly compressible?: boolean | undefined;
}

/** A request for a WebSocket. It has no body. */
export interface UpgradeRequest extends ApiRequest {
  readonly method: "GET";
  /** The subprotocol: "v5.channel.k8s.io". */
  readonly protocol: string;
}

export interface BodyReader {
  /** Receives the next bytes, which are valid until it returns. Must not throw. */
  push(chunk: Buffer): void;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";

/** Headers of a request. Names are in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Headers of a response. Names are in lower case. The value of a repeated header is an array. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ApiResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Empty if the request's reader received the body. */
  readonly body: Buffer;
  /** Length of the body. @default the length of `body` */
  readonly bodyBytes?: number | undefined;
}

/**
 * A response whose body has not been read. The body waits between `open` and `receive`, so nothing is lost. The
 * response occupies a connection until the receiver gets its end or `close` is called, so callers have to do one of
 * them.
 */
export interface OpenResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Starts the body. Only the first call has an effect. The receiver gets nothing before this returns. */
  receive(receiver: Receiver): void;
  /**
   * Stops delivery and stops reading from the network until `resume`, so that a slow receiver slows down the sender.
   */
  pause(): void;
  resume(): void;
  /** Ends the response and its connection. The receiver gets nothing afterwards. Idempotent. */
  close(): void;
}

/**
 * Receives a body. `onEnd` or `onError` is the last call. While paused there are no calls, except `onError` for an
 * aborted signal.
 */
export interface Receiver {
  /**
   * Receives the next bytes, which are valid until it returns, because the next chunk uses the same buffer. If it
   * throws, the response ends and `onError` gets that error.
   */
  onChunk(chunk: Buffer): void;
  /** Must not throw, and neither must `onError`. */
  onEnd(): void;
  onError(error: Error): void;
}

/**
 * A WebSocket. It occupies a connection until one side closes it. It pings the server, and ends with an error if the
 * server does not respond.
 */
export interface MessageConnection {
  /** Starts delivery. Only the first call has an effect. Messages that arrived before are not lost. */
  receive(receiver: MessageReceiver): void;
  /** Sends a binary message. `onSent` is called when it has left this process, so that senders can wait. */
  send(message: Uint8Array, onSent: (error?: Error | null) => void): void;
  /** Stops delivery and stops reading from the network until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends the connection. The receiver gets nothing afterwards. Idempotent. */
  close(): void;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
}

/** Receives messages. `onEnd` or `onError` is the last call. No call may throw. */
export interface MessageReceiver {
  onMessage(message: Buffer): void;
  /** The server closed the connection. */
  onEnd(): void;
  onError(error: Error): void;
}

/** Returns the `upgrade` of a layer, which passes requests on with `pass`, or `undefined` if the transport has none. */
export function upgradeThrough(
  transport: Transport,
  pass: (request: UpgradeRequest, upgrade: Upgrade) => Promise<MessageConnection>,
): Upgrade | undefined {
  const upgrade = transport.upgrade?.bind(transport);
  return upgrade && ((request) => pass(request, upgrade));
}

/** Returns the value of a header, or its first value if it is repeated. */
export function headerOf(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

/**
 * Reads the body of an opened response, for small bodies such as a `Status`. It returns at most `maxBytes`, and only
 * the bytes that arrive within ten seconds.
 */
export function readAll(response: OpenResponse, maxBytes: number, clock: Clock = realClock): Promise<Buffer> {
  const body = new GrowingBuffer({ minBytes: 4096 });
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      timer.cancel();
      response.close();
      resolve(body.bytes.subarray(0, maxBytes));
    };
    const timer = clock.timer(10_000, finish);
    response.receive({
      onChunk(chunk) {
        body.append(chunk);
        if (body.length >= maxBytes) finish();
      },
      onEnd: finish,
      onError(error) {
        timer.cancel();
        reject(error);
      },
    });
  });
}
