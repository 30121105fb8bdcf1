import { type Clock, realClock } from "../base/index.ts";

/**
 * Carries requests to one API server and answers back: bytes, with no knowledge of objects.
 *
 * HTTP is one implementation; a server in the same process is another.
 */
export interface Transport {
  /** Where requests go, for messages: "https://10.0.0.1:6443". */
  readonly server: string;
  /** Resolves with the whole answer, whatever its status. Rejects with a `ConnectionError` where there was none. */
  send(request: ApiRequest): Promise<ApiResponse>;
  /** Resolves when the answer's head has come; its body follows in pieces, on a connection of its own. */
  open(request: ApiRequest): Promise<OpenResponse>;
  /** Ends what is under way and lets connections go. Idempotent. */
  close(): Promise<void>;
}

export interface ApiRequest {
  readonly method: Method;
  /** Path and query from the API server's root: "/api/v1/pods?limit=500". */
  readonly path: string;
  readonly headers?: RequestHeaders | undefined;
  readonly body?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Asked when the first byte is about to leave, at every try: what it throws is what the request fails with, and nothing
   * is sent.
   */
  readonly beforeSend?: (() => void) | undefined;
  /**
   * Requests of one lane share connections that no other request uses, and a client's rate limit does not hold them back.
   * For requests that must not wait behind others, such as renewals of a lease. @default the connections of all others
   */
  readonly lane?: string | undefined;
  /** Which part of this program asks: it stands at the end of the user agent, for the server's logs. */
  readonly component?: string | undefined;
  /**
   * Makes what takes the body of an answer of 200 while it comes, instead of `ApiResponse.body`: one for each try, of
   * which the last one counts. A transport that has answers whole need not ask for any.
   */
  readonly reader?: (() => BodyReader) | undefined;
  /**
   * The response may be large, so it is worth compressing on its way. A transport over a network then requests gzip and
   * decodes it; others ignore this. @default false
   */
  readonly compressible?: boolean | undefined;
}

export interface BodyReader {
  /** Takes the next bytes, which are lent until it returns. Must not throw. */
  push(chunk: Buffer): void;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";

/** Names are in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Names are in lower case; a header sent more than once is an array. */
export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ApiResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Empty where the request's reader took it. */
  readonly body: Buffer;
  /** How long the body was. @default what `body` has */
  readonly bodyBytes?: number | undefined;
}

/**
 * An answer whose body has yet to come. Nothing is lost between `open` and `receive`: the body waits.
 * It holds a connection until its end has been told or `close` is called: do one or the other.
 */
export interface OpenResponse {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Starts the body. Only the first call counts. Nothing reaches the receiver before it returns. */
  receive(receiver: Receiver): void;
  /** Hands on nothing and stops reading from the network until `resume`, so that a slow reader slows the sender. */
  pause(): void;
  resume(): void;
  /** Ends it and its connection. Nothing reaches the receiver after that. Idempotent. */
  close(): void;
}

/**
 * Takes a body. After `onEnd` or `onError`, whichever comes, nothing else does. While paused none comes, but for the
 * reason of an aborted signal.
 */
export interface Receiver {
  /**
   * The next bytes, which are lent until it returns: the next come in the same memory. What it throws ends the response
   * and comes back through `onError`.
   */
  onChunk(chunk: Buffer): void;
  /** Must not throw, and neither must `onError`. */
  onEnd(): void;
  onError(error: Error): void;
}

/** Only the first value of a header that may come more than once. */
export function headerOf(headers: ResponseHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

/**
 * The rest of an opened body, which must be small: a server's words about an error. What is over `maxBytes`, or has not
 * come within ten seconds, is left out.
 */
export function readAll(response: OpenResponse, maxBytes: number, clock: Clock = realClock): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    const enough = (): void => {
      timer.cancel();
      response.close();
      resolve(Buffer.concat(chunks).subarray(0, maxBytes));
    };
    const timer = clock.timer(10_000, enough);
    response.receive({
      onChunk(chunk) {
        chunks.push(Buffer.from(chunk));
        bytes += chunk.length;
        if (bytes >= maxBytes) enough();
      },
      onEnd: enough,
      onError(error) {
        timer.cancel();
        reject(error);
      },
    });
  });
}
