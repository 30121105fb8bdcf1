import type { ResponseBody } from "./response-body.ts";

/** Answers requests; never rejects. */
export interface Handler {
  handle(request: ServerRequest): Promise<ServerResponse | CutResponse>;
}

/** One request as every front hands it over, and what it gets back: no sockets, no framing. */
export interface ServerRequest {
  readonly method: string;
  /** Decoded by nobody yet: "/api/v1/namespaces/default/pods". */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. Values of one that came more than once are joined: see `joinedHeaders`. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The whole body, at most as long as the front lets through. */
  readonly body: Buffer;
  /** Absent for somebody the server does not know: refused, whatever is asked. */
  readonly user: UserInfo | undefined;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** A request of somebody the server knows. */
export interface AuthenticatedRequest extends ServerRequest {
  readonly user: UserInfo;
}

/** Who asks, as reviews and warnings name them. */
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
  /** A front may send it in gzip. @default false */
  readonly compressible?: boolean | undefined;
}

/** A body that comes in pieces, as a watch's does. */
export interface StreamingServerResponse extends Head {
  readonly type: "stream";
  /** Starts it. Called once by the front, after the head is sent. */
  start(sink: Sink): void;
}

/** No answer: the front breaks the connection, as a server that dies does. The API server itself never asks for it. */
export interface CutResponse {
  readonly type: "cut";
}

/** Where a stream writes to. A front closes it from its side by the request's signal. */
export interface Sink {
  /** Takes bytes; `false` says that they are not on their way yet, and `onDrain` will tell. */
  write(chunk: Buffer): boolean;
  onDrain(listener: () => void): void;
  end(): void;
  /** Breaks the connection, once what was written is on its way. Nothing is written after it. */
  cut(): void;
}
