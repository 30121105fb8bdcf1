import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse, Http2Session } from "node:http2";
import type { Server, Socket } from "node:net";
import { type TLSSocket, Server as TlsServer } from "node:tls";
import type { Clock, Timer } from "../base/index.ts";

/** Limits for servers with HTTP/2. Node has its own only for servers without it. */
export interface ConnectionTimeouts {
  /** A connection must send the headers of its first request within this time after the TLS handshake. */
  readonly headersMs: number;
  /** A connection without a request in flight is closed after this time. */
  readonly idleMs: number;
  /**
   * A request must have been sent, and its response received, within this time. Then its stream is reset, or its
   * connection closed.
   */
  readonly requestMs: number;
  readonly clock: Clock;
}

/**
 * The connections of a server for HTTP/1.1, with or without TLS, or for HTTP/2. It counts their requests in flight, and
 * closes all of them gently when the server stops. With timeouts it also closes those that send no request in time, and
 * requests whose responses are not read in time.
 */
export class Connections {
  readonly #timeouts: ConnectionTimeouts | undefined;
  /** TCP connections, also those before their TLS handshake. */
  readonly #sockets = new Set<Socket>();
  /** Sockets with HTTP/1.1, after their TLS handshake if the server has TLS, and HTTP/2 sessions. */
  readonly #open = new Map<Socket | Http2Session, Connection>();
  #closing = false;

  constructor(timeouts?: ConnectionTimeouts) {
    this.#timeouts = timeouts;
  }

  watch(server: Server): void {
    const secure = server instanceof TlsServer;
    server.on("connection", (socket: Socket) => {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      if (!secure) this.#begin(socket, { close: () => socket.end(), destroy: () => socket.destroy() });
    });
    server.on("session", (session: Http2Session) =>
      this.#begin(session, { close: () => session.close(), destroy: () => session.destroy() }),
    );
    server.on("secureConnection", (socket: TLSSocket) => {
      if (socket.alpnProtocol === "h2") return;
      this.#begin(socket, { close: () => socket.end(), destroy: () => socket.destroy() });
    });
  }

  /** Counts a request in flight until its response has ended. */
  serve(request: IncomingMessage | Http2ServerRequest, response: Response): void {
    const connection = this.#open.get(connectionOf(request));
    if (!connection) return;
    connection.requests.set(response, this.#requestDeadlineMs());
    response.once("close", () => {
      connection.requests.delete(response);
      connection.idle?.restart();
      if (this.#closing && connection.requests.size === 0) connection.close();
    });
  }

  /** Closes each connection after its last response. Connections before their TLS handshake are closed at once. */
  close(): void {
    this.#closing = true;
    for (const [of, connection] of this.#open) {
      // A session announces its end and finishes its requests. A socket without a request has nothing to finish.
      if ("goaway" in of) connection.close();
      else if (connection.requests.size === 0) connection.destroy();
    }
    const open = new Set([...this.#open.values()].map(({ remote }) => remote));
    for (const socket of this.#sockets) if (!open.has(remoteEnd(socket))) socket.destroy();
  }

  /** Closes all connections at once, and cancels their timers. */
  destroy(): void {
    for (const [of, connection] of this.#open) {
      connection.destroy();
      this.#end(of);
    }
    for (const socket of this.#sockets) socket.destroy();
  }

  #begin(of: Socket | Http2Session, ends: Pick<Connection, "close" | "destroy">): void {
    const connection: Connection = { ...ends, requests: new Map(), remote: remoteEnd(of) };
    if (this.#timeouts) connection.idle = new IdleTimer(connection, this.#timeouts);
    this.#open.set(of, connection);
    of.once("close", () => this.#end(of));
    of.on("error", () => {}); // "close" follows
    if (this.#closing) ends.destroy();
  }

  #requestDeadlineMs(): number {
    if (!this.#timeouts) return Number.POSITIVE_INFINITY;
    return this.#timeouts.clock.monotonic() + this.#timeouts.requestMs;
  }

  #end(of: Socket | Http2Session): void {
    this.#open.get(of)?.idle?.cancel();
    this.#open.delete(of);
  }
}

type Response = ServerResponse | Http2ServerResponse;

interface Connection {
  /** The responses of the requests in flight, oldest first, with their deadlines in monotonic time. */
  readonly requests: Map<Response, number>;
  /** The client's address. Kept, because a session that was destroyed has no socket. */
  readonly remote: string;
  idle?: IdleTimer;
  close(): void;
  destroy(): void;
}

/**
 * Closes a connection without requests at its deadline, and ends requests that take too long. Requests only move the
 * deadline: the timer checks how much time is left when it fires.
 */
class IdleTimer {
  readonly #connection: Connection;
  readonly #timeouts: ConnectionTimeouts;
  #deadlineMs: number;
  #timer: Timer;

  constructor(connection: Connection, timeouts: ConnectionTimeouts) {
    this.#connection = connection;
    this.#timeouts = timeouts;
    this.#deadlineMs = timeouts.clock.monotonic() + timeouts.headersMs;
    this.#timer = this.#after(timeouts.headersMs);
  }

  restart(): void {
    this.#deadlineMs = this.#timeouts.clock.monotonic() + this.#timeouts.idleMs;
  }

  cancel(): void {
    this.#timer.cancel();
  }

  #after(ms: number): Timer {
    return this.#timeouts.clock.timer(ms, () => this.#check(), { background: true });
  }

  #check(): void {
    const leftMs = this.#leftMs();
    if (leftMs > 0) this.#timer = this.#after(leftMs);
    else if (this.#connection.requests.size === 0 || !this.#endLate()) this.#connection.destroy();
    else this.#timer = this.#after(resetMs);
  }

  /** Time until the connection or its oldest request is late. */
  #leftMs(): number {
    const { clock, idleMs } = this.#timeouts;
    const [oldestMs = this.#deadlineMs] = this.#connection.requests.values();
    return Math.min(oldestMs - clock.monotonic(), idleMs);
  }

  /** Resets the streams of late requests. @returns false if the connection has to be closed for one of them */
  #endLate(): boolean {
    const nowMs = this.#timeouts.clock.monotonic();
    const late = [...this.#connection.requests].filter(([, deadlineMs]) => deadlineMs <= nowMs);
    return late.every(([response]) => resetStream(response));
  }
}

/** Time for the reset of a stream to be sent. */
const resetMs = 1000;

/** The code CANCEL of HTTP/2. Its constants are not imported, because most programs never load `node:http2`. */
const cancel = 8;

/** Returns false for HTTP/1.1, and for a stream that was closed before and whose end could not be sent. */
function resetStream(response: Response): boolean {
  if (!("stream" in response) || response.stream.closed) return false;
  response.stream.close(cancel);
  return true;
}

function connectionOf(request: IncomingMessage | Http2ServerRequest): Socket | Http2Session {
  // A request of a server has a session as long as its connection is open.
  return "stream" in request ? (request.stream.session as Http2Session) : request.socket;
}

/** Returns the remote address, which is the same for a TLS socket, its session and its TCP socket. */
function remoteEnd(of: Socket | Http2Session): string {
  const { remoteAddress, remotePort } = "socket" in of ? of.socket : of;
  return `${remoteAddress} ${remotePort}`;
}
