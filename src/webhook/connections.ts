import type { Http2Session } from "node:http2";
import type { Server, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Clock, Timer } from "../base/index.ts";
import type { HttpRequest, HttpResponse } from "./http-exchange.ts";

/** A connection must send the headers of its first request within this time after the TLS handshake. */
const headerTimeoutMs = 32_000;
/** A connection without a request in flight is closed after this time. API servers use connections again. */
const idleTimeoutMs = 90_000;

/**
 * The connections of a secure server for HTTP/1.1 and HTTP/2. It closes those that send no request in time, because
 * Node has such timeouts only for servers without HTTP/2, and closes all of them gently when the server stops.
 */
export class Connections {
  readonly #clock: Clock;
  /** TCP connections, also those before their TLS handshake. */
  readonly #sockets = new Set<Socket>();
  /** TLS sockets with HTTP/1.1, and HTTP/2 sessions. */
  readonly #open = new Map<TLSSocket | Http2Session, Connection>();
  #closing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  watch(server: Server): void {
    server.on("connection", (socket: Socket) => {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
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
  serve(request: HttpRequest, response: HttpResponse): void {
    const connection = this.#open.get(connectionOf(request));
    if (!connection) return;
    connection.requests += 1;
    response.once("close", () => {
      connection.requests -= 1;
      connection.deadlineMs = this.#clock.monotonic() + idleTimeoutMs;
      if (this.#closing && connection.requests === 0) connection.close();
    });
  }

  /** Closes each connection after its last response. Connections before their TLS handshake are closed at once. */
  close(): void {
    this.#closing = true;
    for (const [of, connection] of this.#open) {
      // A session announces its end and finishes its requests. A socket without a request has nothing to finish.
      if ("goaway" in of) connection.close();
      else if (connection.requests === 0) connection.destroy();
    }
    const secured = new Set([...this.#open.keys()].map(remoteEnd));
    for (const socket of this.#sockets) if (!secured.has(remoteEnd(socket))) socket.destroy();
  }

  /** Closes all connections at once, and cancels their timers. */
  destroy(): void {
    for (const [of, connection] of this.#open) {
      connection.destroy();
      this.#end(of);
    }
    for (const socket of this.#sockets) socket.destroy();
  }

  #begin(of: TLSSocket | Http2Session, ends: Pick<Connection, "close" | "destroy">): void {
    const deadlineMs = this.#clock.monotonic() + headerTimeoutMs;
    this.#open.set(of, { ...ends, requests: 0, deadlineMs, timer: this.#timer(of, headerTimeoutMs) });
    of.once("close", () => this.#end(of));
    of.on("error", () => {}); // "close" follows
    if (this.#closing) ends.destroy();
  }

  #end(of: TLSSocket | Http2Session): void {
    this.#open.get(of)?.timer.cancel();
    this.#open.delete(of);
  }

  #timer(of: TLSSocket | Http2Session, afterMs: number): Timer {
    return this.#clock.timer(afterMs, () => this.#check(of), { background: true });
  }

  /**
   * Closes a connection at its deadline. Requests do not restart the timer: it checks how much time is left when it
   * fires.
   */
  #check(of: TLSSocket | Http2Session): void {
    const connection = this.#open.get(of);
    if (!connection) return;
    const leftMs = connection.requests > 0 ? idleTimeoutMs : connection.deadlineMs - this.#clock.monotonic();
    if (leftMs > 0) connection.timer = this.#timer(of, leftMs);
    else connection.destroy();
  }
}

interface Connection {
  /** Requests in flight. */
  requests: number;
  /** When it is closed, if it has no request by then. */
  deadlineMs: number;
  timer: Timer;
  close(): void;
  destroy(): void;
}

function connectionOf(request: HttpRequest): TLSSocket | Http2Session {
  // A secure server has no other sockets.
  return "stream" in request ? (request.stream.session as Http2Session) : (request.socket as TLSSocket);
}

/** Returns the remote address, which is the same for a TLS socket, its session and its TCP socket. */
function remoteEnd(of: Socket | Http2Session): string {
  const { remoteAddress, remotePort } = "socket" in of ? of.socket : of;
  return `${remoteAddress} ${remotePort}`;
}
