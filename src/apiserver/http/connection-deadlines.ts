import type { Server } from "node:net";
import type { Clock, Timer } from "../../base/index.ts";
import type { HttpServerRequest } from "./read-request.ts";
import type { HttpServerResponse } from "./send-response.ts";

/** A connection must send the headers of its first request within this time. Includes the TLS handshake. */
export const headerTimeoutMs = 32_000;
/** The body of a request must arrive within this time. */
export const bodyTimeoutMs = 60_000;
/** A connection without a request in flight is closed after this time. */
export const idleTimeoutMs = 90_000;

/** An HTTP/1.1 socket or an HTTP/2 session. */
interface Connection {
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
}

/**
 * Closes connections that do not send their requests in time, with the timeouts of kube-apiserver. Node has such
 * timeouts for plain HTTP only, not for a secure server that offers HTTP/2.
 */
export class ConnectionDeadlines {
  readonly #clock: Clock;
  readonly #open = new WeakMap<object, Activity>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Watches every connection of a server. The server's `handshakeTimeout` limits the TLS handshake. */
  watch(server: Server, { secure }: { readonly secure: boolean }): void {
    if (!secure) return void server.on("connection", (socket: Connection) => this.#begin(socket));
    server.on("session", (session: Connection) => this.#begin(session));
    server.on("secureConnection", (socket: Connection & { readonly alpnProtocol: string | false }) => {
      if (socket.alpnProtocol !== "h2") this.#begin(socket);
    });
  }

  /** Registers a request whose headers have arrived, and limits the time of its body. */
  serve(request: HttpServerRequest, response: HttpServerResponse): void {
    // A short body arrives together with the headers, and needs no timer.
    queueMicrotask(() => {
      if (!request.complete) this.#limitBody(request);
    });
    const activity = this.#open.get(connectionOf(request));
    if (!activity) return;
    activity.start();
    response.once("close", () => activity.finish());
  }

  #limitBody(request: HttpServerRequest): void {
    const timer = this.#clock.timer(bodyTimeoutMs, () => request.destroy(lateBody()), { background: true });
    request.once("end", () => timer.cancel());
    request.once("close", () => timer.cancel());
  }

  #begin(connection: Connection): void {
    const activity = new Activity(this.#clock, () => connection.destroy());
    this.#open.set(connection, activity);
    connection.once("close", () => activity.close());
  }
}

function connectionOf(request: HttpServerRequest): object {
  return "stream" in request ? (request.stream.session ?? request) : request.socket;
}

function lateBody(): Error {
  return new Error(`expected the complete body within ${bodyTimeoutMs} ms, got a part of it`);
}

/**
 * The requests in flight of one connection, and the time at which the connection is closed while there are none.
 *
 * One timer runs while the connection is open. Requests do not restart it: when it fires, it checks how much time is
 * left.
 */
class Activity {
  readonly #clock: Clock;
  readonly #expire: () => void;
  #requests = 0;
  /** Applies only while there are no requests. */
  #deadlineMs: number;
  #timer: Timer;

  constructor(clock: Clock, expire: () => void) {
    this.#clock = clock;
    this.#expire = expire;
    this.#deadlineMs = clock.monotonic() + headerTimeoutMs;
    this.#timer = this.#checkAfter(headerTimeoutMs);
  }

  start(): void {
    this.#requests += 1;
  }

  finish(): void {
    this.#requests -= 1;
    this.#deadlineMs = this.#clock.monotonic() + idleTimeoutMs;
  }

  close(): void {
    this.#timer.cancel();
  }

  #check(): void {
    const leftMs = this.#requests > 0 ? idleTimeoutMs : this.#deadlineMs - this.#clock.monotonic();
    if (leftMs > 0) this.#timer = this.#checkAfter(leftMs);
    else this.#expire();
  }

  #checkAfter(ms: number): Timer {
    return this.#clock.timer(ms, () => this.#check(), { background: true });
  }
}
