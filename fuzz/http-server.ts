import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect as connectTcp, type Socket } from "node:net";
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { type ApiServer, createApiServer, type HttpListener, listen } from "../src/apiserver/index.ts";
import { below, deadline, type Rng, seededRng, unlessAborted, VirtualClock } from "../src/base/index.ts";
import { createAuthority } from "../src/certificates/index.ts";
import { chance, chunksOf, drawSeed, pick } from "./draw.ts";
import { drawFrames, drawRequests } from "./http-requests.ts";
import type { Budget, Counts, FuzzTarget } from "./target.ts";

export interface HttpServerSubject {
  readonly listen: typeof listen;
  /** How long the server may take in real time to close connections whose deadlines have passed. @default 10_000 */
  readonly closeMs?: number | undefined;
}

/**
 * The embedded server's HTTP front, plain and over TLS, with wrong requests on raw sockets: good requests beside them
 * are served, and every connection that is left open is closed by the server's deadlines.
 */
export function httpServerTarget(subject: HttpServerSubject = { listen }): FuzzTarget {
  return {
    name: "http-server",
    summary: "wrong requests on raw sockets of the embedded server, plain and over TLS",
    async run(rng, budget) {
      await using world = await HttpWorld.start(rng, subject);
      return await world.live(budget);
    },
  };
}

const authority = createAuthority("fuzz");
const tls = authority.server(["localhost", "127.0.0.1"]);

/** Longer than every deadline of the server, and than a watch may last. */
const allDeadlinesMs = 2 * 3_600_000;

class HttpWorld implements AsyncDisposable {
  readonly #rng: Rng;
  readonly #secure: boolean;
  readonly #clock: VirtualClock;
  readonly #server: ApiServer;
  readonly #front: HttpListener;
  readonly #closeMs: number;
  readonly #sockets: Socket[] = [];
  readonly #counts = {
    connections: 0,
    "bytes sent": 0,
    "good requests served": 0,
    "connections closed by deadlines": 0,
  };

  static async start(rng: Rng, { listen, closeMs = 10_000 }: HttpServerSubject): Promise<HttpWorld> {
    const clock = new VirtualClock();
    const server = createApiServer({ clock, rng: seededRng(drawSeed(rng)) });
    const secure = chance(rng, 0.4);
    const { authenticator } = server;
    const front = await listen(server, { clock, authenticator, ...(secure && { tls }) });
    return new HttpWorld(rng, { clock, server, front, secure, closeMs });
  }

  private constructor(rng: Rng, { clock, server, front, secure, closeMs }: Parts) {
    this.#rng = rng;
    this.#clock = clock;
    this.#server = server;
    this.#front = front;
    this.#secure = secure;
    this.#closeMs = closeMs;
  }

  async live(budget: Budget): Promise<Counts> {
    for (let batch = 0; batch < 10 && !budget.spent; batch++) {
      await Promise.all(Array.from({ length: 10 }, () => this.#attack()));
      await this.#expectServed();
    }
    await this.#expectClosed();
    await this.#expectServed();
    return this.#counts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await this.#front.close();
  }

  /** Sends wrong bytes on a connection, and then leaves it open, ends its own half or resets it. */
  async #attack(): Promise<void> {
    const { protocol, chunks, end, pauses } = this.#drawAttack();
    const socket = await this.#connect(protocol);
    this.#counts.connections += 1;
    for (const chunk of chunks) {
      if (socket.destroyed) break;
      socket.write(chunk);
      this.#counts["bytes sent"] += chunk.length;
      if (pauses) await setImmediate();
    }
    if (end === "half") socket.end();
    if (end === "reset") socket.destroy();
  }

  #drawAttack(): Attack {
    const rng = this.#rng;
    const protocol = this.#secure ? pick(rng, ["h2", "raw", "http/1.1", "http/1.1"]) : "http/1.1";
    const bytes = protocol === "h2" || chance(rng, 0.03) ? drawFrames(rng) : drawRequests(rng);
    const end = pick(rng, ["open", "open", "half", "reset"]);
    // The deadline of a TLS handshake is Node's own, in real time.
    const reset = protocol === "raw" ? "reset" : end;
    return { protocol, chunks: chunksOf(rng, bytes), end: reset, pauses: chance(rng, 0.5) };
  }

  async #connect(protocol: Attack["protocol"]): Promise<Socket> {
    const port = Number(new URL(this.#front.url).port);
    const at = { port, host: "127.0.0.1" };
    const encrypted = this.#secure && protocol !== "raw";
    const socket = encrypted
      ? connectTls({ ...at, ca: authority.cert, servername: "localhost", ALPNProtocols: [protocol] })
      : connectTcp(at);
    socket.on("error", () => {}); // the server may close it at any time
    socket.resume();
    this.#sockets.push(socket);
    await once(socket, encrypted ? "secureConnect" : "connect");
    return socket;
  }

  async #expectServed(): Promise<void> {
    using limit = deadline(30_000, "a good request");
    const { status, body } = await unlessAborted(this.#get(), limit.signal);
    if (status !== 200 || JSON.parse(body).kind !== "ConfigMapList")
      throw new Error(`expected a good request to be served, got ${status} ${body}`);
    this.#counts["good requests served"] += 1;
  }

  async #get(): Promise<{ readonly status: number | undefined; readonly body: string }> {
    const url = `${this.#front.url}/api/v1/namespaces/kube-system/configmaps`;
    const options = { agent: false } as const;
    const request = this.#secure
      ? httpsRequest(url, { ...options, ca: authority.cert })
      : httpRequest(url, options);
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return { status: response.statusCode, body: Buffer.concat(await response.toArray()).toString() };
  }

  /** Advances time past all deadlines and checks that no connection is left. */
  async #expectClosed(): Promise<void> {
    const isOpen = (socket: Socket): boolean => !socket.destroyed;
    const open = this.#sockets.filter(isOpen).length;
    const endMs = performance.now() + this.#closeMs;
    while (this.#sockets.some(isOpen)) {
      if (performance.now() > endMs) {
        const left = this.#sockets.filter(isOpen);
        throw new Error(
          `expected every connection to be closed by a deadline, got ${left.length} that are open`,
        );
      }
      await this.#clock.advance(allDeadlinesMs);
      await delay(1 + below(this.#rng, 5));
    }
    this.#counts["connections closed by deadlines"] += open;
  }
}

interface Attack {
  /** `raw` is a connection without TLS to a server with TLS. */
  readonly protocol: "h2" | "raw" | "http/1.1";
  readonly chunks: readonly Buffer[];
  readonly end: "open" | "half" | "reset";
  /** True if the server gets time between chunks. */
  readonly pauses: boolean;
}

interface Parts {
  readonly clock: VirtualClock;
  readonly server: ApiServer;
  readonly front: HttpListener;
  readonly secure: boolean;
  readonly closeMs: number;
}
