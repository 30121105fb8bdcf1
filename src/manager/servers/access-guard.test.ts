import { expect, test } from "vitest";
import type { SubjectAccessReview } from "../../api/types/authorization/v1.ts";
import { ServiceAccount } from "../../api/types/core/v1.ts";
import { type LogEntry, loggerTo, seededRng, VirtualClock } from "../../base/index.ts";
import type { Client } from "../../client/index.ts";
import { type Cluster, startCluster } from "../../testing/index.ts";
import type { ApiRequest } from "../../transport/index.ts";
import { between, forbidden, type Interceptor } from "../limited-client.fixture.ts";
import { accessGuard, type Guard } from "./access-guard.ts";

/** A guard on an embedded server and virtual time, and the token of a service account. */
class Guarded implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly token: string;
  /** The last path segment of each review that was sent. */
  readonly reviews: string[] = [];
  readonly logged: LogEntry[] = [];
  readonly ended: AbortController = new AbortController();
  /** True if access reviews allow the path. */
  allowed = true;
  readonly #cluster: Cluster;

  private constructor(cluster: Cluster, clock: VirtualClock, token: string) {
    this.#cluster = cluster;
    this.clock = clock;
    this.token = token;
  }

  static async start(): Promise<Guarded> {
    const clock = new VirtualClock();
    const cluster = await startCluster({ clock, rng: seededRng(1) });
    await cluster.client.create(ServiceAccount, { metadata: { name: "prometheus" } });
    const made = await cluster.client
      .subresource(ServiceAccount, "default/prometheus", "token")
      .create({ spec: { audiences: [] } });
    return new Guarded(cluster, clock, made.status?.token ?? "");
  }

  get client(): Client {
    return this.#cluster.client;
  }

  guard(layer: Interceptor = (_, send) => send()): Guard {
    const { clock } = this;
    const counted = between(between(this.client, layer), (request, send) => this.#review(request, send));
    const log = loggerTo((entry) => this.logged.push(entry));
    return accessGuard({ client: counted, clock, rng: seededRng(1), log, signal: this.ended.signal });
  }

  /** Sends a request with this header. Returns "in", or the refusal. */
  async send(guard: Guard, authorization?: string, path = "/metrics"): Promise<unknown> {
    const { signal } = new AbortController();
    const address = "10.0.0.7";
    const headers = { authorization };
    const refusal = await guard({
      method: "GET",
      path,
      query: new URLSearchParams(),
      headers,
      address,
      signal,
    });
    return refusal ? `${refusal.status} ${String(refusal.body).trim()}` : "in";
  }

  /** Responds to access reviews like a server with RBAC rules. */
  async #review({ path }: ApiRequest, send: Parameters<Interceptor>[1]): ReturnType<Interceptor> {
    this.reviews.push(path.replace(/^.*\/|\?.*$/g, ""));
    const response = await send();
    if (!path.includes("/subjectaccessreviews") || response.status >= 300) return response;
    const review = JSON.parse(String(response.body)) as SubjectAccessReview; // the response contains the spec
    const body = Buffer.from(JSON.stringify({ ...review, status: { allowed: this.allowed } }));
    return { ...response, body };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cluster.close();
    expect(this.clock.timers).toBe(0);
  }
}

test("a caller with an accepted token and permission for the path is allowed", async () => {
  await using world = await Guarded.start();
  expect(await world.send(world.guard(), `Bearer ${world.token}`)).toBe("in");
  expect(world.reviews).toEqual(["tokenreviews", "subjectaccessreviews"]);
});

test.each([
  undefined,
  "",
  "Bearer",
  "Basic dXNlcjpwYXNz",
  "Bearer a,b",
  "Bearer =",
  "Bearer ä",
  "Bearer a b",
])("the header %s is rejected with 401 without a review", async (authorization) => {
  await using world = await Guarded.start();
  expect(await world.send(world.guard(), authorization)).toBe("401 Unauthorized");
  expect(world.reviews).toEqual([]);
});

test("an unknown token is rejected with 401", async () => {
  await using world = await Guarded.start();
  expect(await world.send(world.guard(), "Bearer made-up")).toBe("401 Unauthorized");
  expect(world.reviews).toEqual(["tokenreviews"]);
});

test("a token of more than 16 KiB is refused without a review", async () => {
  await using world = await Guarded.start();
  expect(await world.send(world.guard(), `Bearer ${"a".repeat(17_000)}`)).toBe("401 Unauthorized");
  expect(world.reviews).toEqual([]);
});

test("a refused token is reviewed again after ten seconds", async () => {
  await using world = await Guarded.start();
  const guard = world.guard();
  const reviews: number[] = [];
  for (const afterMs of [0, 9_999, 1]) {
    await world.clock.advance(afterMs);
    expect(await world.send(guard, "Bearer made-up")).toBe("401 Unauthorized");
    reviews.push(world.reviews.length);
  }
  expect(reviews).toEqual([1, 1, 2]);
});

test("a caller without permission gets 403 with the user name", async () => {
  await using world = await Guarded.start();
  world.allowed = false;
  expect(await world.send(world.guard(), `Bearer ${world.token}`)).toBe(
    "403 Authorization denied for user system:serviceaccount:default:prometheus",
  );
});

test("the access review contains the user, the verb and the path", async () => {
  await using world = await Guarded.start();
  let spec: unknown;
  const guard = world.guard((request, send) => {
    if (request.path.includes("/subjectaccessreviews")) spec = JSON.parse(String(request.body)).spec;
    return send();
  });
  await world.send(guard, `Bearer ${world.token}`, "/debug/pprof/heap");
  expect(spec).toMatchObject({
    user: "system:serviceaccount:default:prometheus",
    groups: expect.arrayContaining(["system:serviceaccounts", "system:authenticated"]),
    nonResourceAttributes: { path: "/debug/pprof/heap", verb: "get" },
  });
});

test("a token review counts for a minute, a granted access review for five, a denied one for half a minute", async () => {
  await using world = await Guarded.start();
  const guard = world.guard();
  const reviewsAfter = async (afterMs: number): Promise<string[]> => {
    await world.clock.advance(afterMs);
    await world.send(guard, `Bearer ${world.token}`);
    return world.reviews.splice(0);
  };
  expect(await reviewsAfter(0)).toEqual(["tokenreviews", "subjectaccessreviews"]);
  expect(await reviewsAfter(59_999)).toEqual([]);
  expect(await reviewsAfter(1)).toEqual(["tokenreviews"]);
  world.allowed = false;
  expect(await reviewsAfter(239_999)).toEqual(["tokenreviews"]);
  expect(await reviewsAfter(1)).toEqual(["subjectaccessreviews"]);
  expect(await reviewsAfter(29_999)).toEqual([]);
  expect(await reviewsAfter(1)).toEqual(["subjectaccessreviews"]);
});

test("concurrent requests with one token share one review", async () => {
  await using world = await Guarded.start();
  const guard = world.guard();
  const outcomes = Array.from({ length: 5 }, () => world.send(guard, `Bearer ${world.token}`));
  expect(await Promise.all(outcomes)).toEqual(["in", "in", "in", "in", "in"]);
  expect(world.reviews).toEqual(["tokenreviews", "subjectaccessreviews"]);
});

test("a failing review is sent five times with backoff, then the response is 500", async () => {
  await using world = await Guarded.start();
  const atMs: number[] = [];
  const guard = world.guard(async () => {
    atMs.push(Math.round(world.clock.monotonic()));
    return { status: 500, headers: {}, body: Buffer.from("etcd is unavailable") };
  });
  const outcome = world.send(guard, `Bearer ${world.token}`);
  await world.clock.advance(10_000);
  expect(await outcome).toBe("500 Authentication failed");
  const apart = atMs.slice(1).map((ms, index) => ms - (atMs[index] ?? 0));
  expect(
    apart.map((ms, index) => ms >= 500 * 1.5 ** index - 1 && ms <= 500 * 1.5 ** index * 1.2 + 1),
  ).toEqual([true, true, true, true]);
  expect(world.logged).toHaveLength(1);
});

test("a forbidden review is not retried, and the log has its error", async () => {
  await using world = await Guarded.start();
  const client = forbidden(world.client, "/subjectaccessreviews");
  const guard = accessGuard({
    client,
    clock: world.clock,
    log: loggerTo((entry) => world.logged.push(entry)),
  });
  expect(await world.send(guard, `Bearer ${world.token}`)).toBe(
    "500 Authorization for user system:serviceaccount:default:prometheus failed",
  );
  const error =
    "expected success of POST /apis/authorization.k8s.io/v1/subjectaccessreviews?fieldManager=trimtab, " +
    'got 403 Forbidden: User "clerk" cannot POST there';
  expect(world.logged).toEqual([
    { level: "error", message: "access review failed", fields: { path: "/metrics", error } },
  ]);
});

test("the signal aborts reviews in flight", async () => {
  await using world = await Guarded.start();
  const guard = world.guard(async () => ({ status: 500, headers: {}, body: Buffer.alloc(0) }));
  const outcome = world.send(guard, `Bearer ${world.token}`);
  await world.clock.advance(100);
  world.ended.abort(new Error("the manager stops"));
  expect(await outcome).toBe("500 Authentication failed");
});

test("callers beyond the limit get 429 with Retry-After", async () => {
  await using world = await Guarded.start();
  const guard = world.guard();
  const { signal } = new AbortController();
  const replies = Array.from({ length: 5 }, (_, index) =>
    guard({
      method: "GET",
      path: "/metrics",
      query: new URLSearchParams(),
      headers: { authorization: `Bearer made-up-${index}` },
      address: "10.0.0.7",
      signal,
    }),
  );
  const last = (await Promise.all(replies)).at(-1);
  expect([last?.status, last?.headers?.["retry-after"], last?.body]).toEqual([
    429,
    "5",
    "Too Many Requests\n",
  ]);
  expect(world.reviews).toHaveLength(4);
});

test("unknown and known callers are reviewed over separate connections", async () => {
  await using world = await Guarded.start();
  const lanes: string[] = [];
  const guard = world.guard(({ path, lane }, send) => {
    lanes.push(`${path.replace(/^.*\/|\?.*$/g, "")} ${lane}`);
    return send();
  });
  for (const token of ["made-up", world.token, world.token]) {
    await world.send(guard, `Bearer ${token}`);
    await world.clock.advance(60_000);
  }
  expect(lanes).toEqual([
    "tokenreviews unknown-callers",
    "tokenreviews unknown-callers",
    "subjectaccessreviews known-callers",
    "tokenreviews known-callers",
  ]);
});
