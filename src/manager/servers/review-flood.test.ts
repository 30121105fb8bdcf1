import { expect, test } from "vitest";
import { ServiceAccount } from "../../api/types/core/v1.ts";
import { type LogEntry, loggerTo, seededRng, settled, sleep, VirtualClock } from "../../base/index.ts";
import type { Client } from "../../client/index.ts";
import { Elector } from "../../election/index.ts";
import { type Cluster, startCluster } from "../../testing/index.ts";
import { between, type Interceptor } from "../limited-client.fixture.ts";
import { accessGuard, type Guard } from "./access-guard.ts";

/** An API server on virtual time that handles four requests at once, each in 50 ms. It queues the others in order. */
class BusyServer implements AsyncDisposable {
  readonly clock: VirtualClock = new VirtualClock();
  readonly ended: AbortController = new AbortController();
  readonly logged: LogEntry[] = [];
  /** Number of TokenReviews sent, those in flight, and the most that were in flight at once. */
  readonly reviews: { sent: number; inFlight: number; most: number } = { sent: 0, inFlight: 0, most: 0 };
  /** Times of accepted renewals of the lease. */
  readonly renewalsMs: number[] = [];
  readonly #cluster: Cluster;
  readonly #queue: (() => void)[] = [];
  #free = 4;

  private constructor(cluster: Cluster, clock: VirtualClock) {
    this.#cluster = cluster;
    this.clock = clock;
  }

  static async start(): Promise<BusyServer> {
    const clock = new VirtualClock();
    return new BusyServer(await startCluster({ clock, rng: seededRng(1) }), clock);
  }

  get client(): Client {
    return between(this.#cluster.client, (request, send) => this.#handle(request, send));
  }

  /** Creates a service account and returns a token of it. */
  async token(): Promise<string> {
    const { client } = this.#cluster;
    await client.create(ServiceAccount, { metadata: { name: "prometheus" } });
    const made = await client
      .subresource(ServiceAccount, "default/prometheus", "token")
      .create({ spec: { audiences: [] } });
    return made.status?.token ?? "";
  }

  guard(): Guard {
    const { client, clock, ended } = this;
    const log = loggerTo((entry) => this.logged.push(entry));
    return accessGuard({ client, clock, rng: seededRng(1), log, signal: ended.signal });
  }

  /** Leads until the world ends, and returns the outcome. */
  lead(): Promise<string> {
    const { client, clock } = this;
    const elector = new Elector({ client, name: "operator", clock, rng: seededRng(2) });
    const untilAborted = (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    return elector.run(untilAborted, { signal: this.ended.signal }).then(() => "released", String);
  }

  async #handle(
    request: Parameters<Interceptor>[0],
    send: Parameters<Interceptor>[1],
  ): ReturnType<Interceptor> {
    const isReview = request.path.includes("/tokenreviews");
    if (isReview) this.#count(1);
    try {
      if (this.#free > 0) this.#free -= 1;
      else await new Promise<void>((resolve) => this.#queue.push(resolve));
      request.signal?.throwIfAborted();
      await sleep(50, { clock: this.clock });
      const response = await send();
      if (request.method === "PUT" && response.status === 200) this.renewalsMs.push(this.clock.monotonic());
      return response;
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#free += 1;
      if (isReview) this.#count(-1);
    }
  }

  #count(change: 1 | -1): void {
    if (change === 1) this.reviews.sent += 1;
    this.reviews.inFlight += change;
    this.reviews.most = Math.max(this.reviews.most, this.reviews.inFlight);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.ended.abort(new Error("the test ends"));
    while (await this.clock.advanceToNext());
    await this.#cluster.close();
    expect(this.clock.timers).toBe(0);
  }
}

/** Requests the metrics and returns the status. */
async function scrape(guard: Guard, token: string, address: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const { signal } = new AbortController();
  const request = { method: "GET", path: "/metrics", query: new URLSearchParams(), headers, address, signal };
  return (await guard(request))?.status ?? 200;
}

test("a flood of 5,000 unknown tokens neither delays the lease nor locks out the scraper", async () => {
  let outcome: Promise<string>;
  {
    await using server = await BusyServer.start();
    const token = await server.token();
    const guard = server.guard();
    outcome = server.lead();
    const scrapes: Promise<number>[] = [scrape(guard, token, "10.1.0.1")];
    await server.clock.advance(1000);
    const strangers: Promise<number>[] = [];
    for (let wave = 0; wave < 5; wave++) {
      for (let index = 0; index < 1000; index++) {
        strangers.push(scrape(guard, `random-${wave}-${index}`, `10.0.${index >> 8}.${index & 255}`));
      }
      scrapes.push(scrape(guard, token, "10.1.0.1"));
      await server.clock.advance(15_000);
    }
    await settled();
    const gapsMs = server.renewalsMs.slice(1).map((ms, index) => ms - (server.renewalsMs[index] ?? 0));
    expect(gapsMs.length).toBeGreaterThan(30);
    expect(Math.max(...gapsMs)).toBeLessThan(3000);
    expect(await Promise.all(scrapes)).toEqual([200, 200, 200, 200, 200, 200]);
    const statuses = await Promise.all(strangers);
    const refused = statuses.filter((status) => status === 401).length;
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(server.reviews.sent).toBe(refused + 2); // the scraper's token is reviewed once a minute
    expect(refused).toBeLessThanOrEqual(100);
    expect(server.reviews.most).toBeLessThanOrEqual(4);
    expect(server.logged.map(({ level, message }) => `${level} ${message}`)).toEqual([
      "warn too many callers to review",
      "warn too many callers to review",
    ]);
  }
  expect(await outcome).toBe("released");
});

test("a flood from one address leaves room for a new token from another", async () => {
  await using server = await BusyServer.start();
  const token = await server.token();
  const guard = server.guard();
  const strangers = Array.from({ length: 1000 }, (_, index) => scrape(guard, `random-${index}`, "10.0.0.1"));
  const scraped = scrape(guard, token, "10.1.0.1");
  await server.clock.advance(5000);
  expect(await scraped).toBe(200);
  const statuses = await Promise.all(strangers);
  expect(statuses.filter((status) => status === 429)).toHaveLength(996);
});
