import type { Server } from "node:net";
import type { Clock, Timer } from "../base/index.ts";
import type { FrontRequest } from "./http-front-request.ts";
import type { FrontResponse } from "./http-front-response.ts";

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
    const body = this.#clock.timer(bodyTimeoutMs, () => request.destroy(lateBody()), { background: true });
    request.once("end", () => body.cancel());
    request.once("close", () => body.cancel());
    const activity = this.#open.get(connectionOf(request));
    activity?.start();
    response.once("close", () => activity?.finish());
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

/** The requests of one connection that are under way. While there are none, a timer runs. */
class Activity {
  readonly #clock: Clock;
  readonly #expire: () => void;
  #requests = 0;
  #timer: Timer;

  constructor(clock: Clock, expire: () => void) {
    this.#clock = clock;
    this.#expire = expire;
    this.#timer = this.#expireAfter(headerTimeoutMs);
  }

  start(): void {
    this.#requests += 1;
    this.#timer.cancel();
  }

  finish(): void {
    this.#requests -= 1;
    if (this.#requests === 0) this.#timer = this.#expireAfter(idleTimeoutMs);
  }

  close(): void {
    this.#requests = Number.POSITIVE_INFINITY;
    this.#timer.cancel();
  }

  #expireAfter(ms: number): Timer {
    return this.#clock.timer(ms, this.#expire, { background: true });
  }
}
