import type { ResponseBody } from "./response-body.ts";

/** Handles requests. Never rejects. */
export interface Handler {
  handle(request: ServerRequest): Promise<ServerResponse | CutResponse>;
}

/** A request as listeners pass it to the handler, without sockets and framing. */
export interface ServerRequest {
  readonly method: string;
  /** The path as it was sent, still percent-encoded: "/api/v1/namespaces/default/pods". */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Headers with names in lower case. Repeated headers are joined, see `joinedHeaders`. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The whole body. The listener limits its length. */
  readonly body: Buffer;
  /** The authenticated user. Requests without a user are refused with 401. */
  readonly user: UserInfo | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A request whose user is authenticated. */
export interface AuthenticatedRequest extends ServerRequest {
  readonly user: UserInfo;
}

/** The user of a request, in the form of reviews and audit events. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

export type ServerResponse = BufferedServerResponse | StreamingServerResponse;

interface Head {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

export interface BufferedServerResponse extends Head {
  readonly type: "buffered";
  readonly body: ResponseBody;
  /** True if a listener may compress the body with gzip. @default false */
  readonly compressible?: boolean | undefined;
}

/** A response whose body is streamed, such as that of a watch. */
export interface StreamingServerResponse extends Head {
  readonly type: "stream";
  /** Starts the body. The listener calls it once, after it has sent the head. */
  start(sink: Sink): void;
}

/** Closes the connection without a response, like a server that crashes. Only fault injection returns it. */
export interface CutResponse {
  readonly type: "cut";
}

/**
 * The writable side of a streamed body. The listener reports a disconnected client through the signal of the request.
 */
export interface Sink {
  /** Writes bytes. Returns false if the buffer is full; `onDrain` reports when it has room again. */
  write(chunk: Buffer): boolean;
  onDrain(listener: () => void): void;
  end(): void;
  /** Closes the connection without ending the body, after the written bytes are sent. Write nothing after it. */
  cut(): void;
}
