import type { Server } from "node:net";
import type { Clock, Timer } from "../base/index.ts";
import type { FrontRequest } from "./read-request.ts";
import type { FrontResponse } from "./send-response.ts";

/** A connection must send the headers of its first request within this time. Includes the TLS handshake. */
export const headerTimeoutMs = 32_000;
/** The body of a request must arrive within this time. */
export const bodyTimeoutMs = 60_000;
/** A connection without a request under way is closed after this time. */
export const idleTimeoutMs = 90_000;

/** A socket of HTTP/1.1, or a session of HTTP/2. */
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

  /** Watches every connection of a server. The handshake of TLS is limited by `handshakeTimeout` of the server. */
  watch(server: Server, { secure }: { readonly secure: boolean }): void {
    if (!secure) return void server.on("connection", (socket: Connection) => this.#begin(socket));
    server.on("session", (session: Connection) => this.#begin(session));
    server.on("secureConnection", (socket: Connection & { readonly alpnProtocol: string | false }) => {
      if (socket.alpnProtocol !== "h2") this.#begin(socket);
    });
  }

  /** Counts a request whose headers have arrived, and limits how long its body takes. */
  serve(request: FrontRequest, response: FrontResponse): void {
    // A short body arrives together with the headers, and needs no timer.
    queueMicrotask(() => {
      if (!request.complete) this.#limitBody(request);
    });
    const activity = this.#open.get(connectionOf(request));
    if (!activity) return;
    activity.start();
    response.once("close", () => activity.finish());
  }

  #limitBody(request: FrontRequest): void {
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

function connectionOf(request: FrontRequest): object {
  return "stream" in request ? (request.stream.session ?? request) : request.socket;
}

function lateBody(): Error {
  return new Error(`expected the whole body within ${bodyTimeoutMs} ms, got a part of it`);
}

/**
 * The requests of one connection that are under way, and the time at which the connection is closed while there are none.
 *
 * One timer runs for as long as the connection is open. It is not restarted by requests: when it fires, it looks how much
 * time is left.
 */
class Activity {
  readonly #clock: Clock;
  readonly #expire: () => void;
  #requests = 0;
  /** Counts while there are no requests. */
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
