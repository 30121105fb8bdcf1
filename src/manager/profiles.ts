import { getHeapSnapshot } from "node:v8";
import { type Clock, sleep } from "../base/index.ts";
import { type HttpReply, type HttpRequest, notFound, text } from "./http-server.ts";

/**
 * Profiles on demand, which Chrome's developer tools and editors open:
 *
 * - `/debug/pprof/profile?seconds=30` is what the processor was used for in that time (`.cpuprofile`).
 * - `/debug/pprof/heap` is all that is in memory now (`.heapsnapshot`). The process stands still while it is taken, for
 *   a second or so for each 100 MB, and needs as much memory again.
 */
export class Profiles {
  readonly #clock: Clock;
  /** One at a time: two would measure each other. */
  #busy = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async answer(request: HttpRequest): Promise<HttpReply> {
    const { path, query } = request;
    if (path === "/debug/pprof/profile") {
      const seconds = Number(query.get("seconds") ?? 30);
      if (!(seconds > 0 && seconds <= mostSeconds)) {
        return text(400, `expected seconds above 0 and up to ${mostSeconds}, got ${query.get("seconds")}\n`);
      }
      return this.#alone(() => this.#processor(seconds, request.signal));
    }
    return path === "/debug/pprof/heap" ? this.#alone(async () => this.#heap()) : notFound;
  }

  async #alone(take: () => Promise<HttpReply>): Promise<HttpReply> {
    if (this.#busy)
      return text(409, "expected one profile at a time, got another: try again when it is over\n");
    this.#busy = true;
    try {
      return await take();
    } finally {
      this.#busy = false;
    }
  }

  /** Who closes the server is given what there is by then. */
  async #processor(seconds: number, signal: AbortSignal): Promise<HttpReply> {
    const { Session } = await import("node:inspector/promises"); // not in every build of Node
    const session = new Session();
    session.connect();
    try {
      await session.post("Profiler.enable");
      await session.post("Profiler.start");
      await sleep(seconds * 1000, { clock: this.#clock, signal }).catch(() => {}); // aborted: as above
      const { profile } = await session.post("Profiler.stop");
      return file("profile.cpuprofile", JSON.stringify(profile));
    } finally {
      session.disconnect();
    }
  }

  #heap(): HttpReply {
    return file("heap.heapsnapshot", getHeapSnapshot());
  }
}

const mostSeconds = 300;

function file(name: string, body: HttpReply["body"]): HttpReply {
  const headers = {
    "content-type": "application/json",
    "content-disposition": `attachment; filename="${name}"`,
  };
  return { status: 200, headers, body };
}
