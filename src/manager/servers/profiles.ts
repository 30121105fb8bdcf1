import { getHeapSnapshot } from "node:v8";
import { type Clock, sleep } from "../../base/index.ts";
import { type HttpReply, type HttpRequest, notFound, text } from "./http-server.ts";

/**
 * Serves profiles on demand. Chrome's developer tools and editors can open them.
 *
 * - `/debug/pprof/profile?seconds=30` returns a CPU profile of that time (`.cpuprofile`).
 * - `/debug/pprof/heap` returns a heap snapshot (`.heapsnapshot`). Taking it blocks the process for about one second
 *   per 100 MB, and needs as much memory again.
 */
export class Profiles {
  readonly #clock: Clock;
  /** True while a profile is taken. Two at a time would measure each other. */
  #busy = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async respond(request: HttpRequest): Promise<HttpReply> {
    const { path, query } = request;
    if (path === "/debug/pprof/profile") {
      const seconds = Number(query.get("seconds") ?? 30);
      if (!(seconds > 0 && seconds <= maxSeconds)) {
        return text(400, `expected seconds above 0 and up to ${maxSeconds}, got ${query.get("seconds")}\n`);
      }
      return this.#exclusive(() => this.#cpu(seconds, request.signal));
    }
    return path === "/debug/pprof/heap" ? this.#exclusive(async () => this.#heap()) : notFound;
  }

  async #exclusive(take: () => Promise<HttpReply>): Promise<HttpReply> {
    if (this.#busy) return text(409, "another profile is in progress; retry when it has ended\n");
    this.#busy = true;
    try {
      return await take();
    } finally {
      this.#busy = false;
    }
  }

  /** Takes a CPU profile. If the server closes, returns the profile so far. */
  async #cpu(seconds: number, signal: AbortSignal): Promise<HttpReply> {
    const { Session } = await import("node:inspector/promises"); // some builds of Node do not have it
    const session = new Session();
    session.connect();
    try {
      await session.post("Profiler.enable");
      await session.post("Profiler.start");
      await sleep(seconds * 1000, { clock: this.#clock, signal }).catch(() => {}); // aborted: the server closes
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

const maxSeconds = 300;

function file(name: string, body: HttpReply["body"]): HttpReply {
  const headers = {
    "content-type": "application/json",
    "content-disposition": `attachment; filename="${name}"`,
  };
  return { status: 200, headers, body };
}
