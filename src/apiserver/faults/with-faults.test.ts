import { expect, test } from "vitest";
import { seededRng, settled } from "../../base/index.ts";
import type { BufferedServerResponse, Handler } from "../types/exchange.ts";
import type { FaultRule } from "./fault-rule.ts";
import { configMaps, faultyServer, requestOf } from "./faulty-server.fixture.ts";
import { withFaults } from "./with-faults.ts";

const creates = { verb: "create", resource: "configmaps" } as const;

test("with nth, only the n-th matching request fails", async () => {
  using server = faultyServer({ on: creates, which: { nth: 2 }, fault: { type: "refuse", code: 503 } });
  expect([await server.create("a"), await server.create("b"), await server.create("b")]).toEqual([
    "201",
    "503",
    "201",
  ]);
});

test("with first, the first matching requests fail", async () => {
  using server = faultyServer({ on: creates, which: { first: 2 }, fault: { type: "refuse", code: 500 } });
  expect([await server.create("a"), await server.create("a"), await server.create("a")]).toEqual([
    "500",
    "500",
    "201",
  ]);
});

test("without which, every matching request fails, and no other", async () => {
  using server = faultyServer({ on: creates, fault: { type: "refuse", code: 504 } });
  expect([
    await server.create("a"),
    await server.request("GET", configMaps),
    await server.create("a"),
  ]).toEqual(["504", "200", "504"]);
});

test("with chance, each matching request fails at random, and the same seed gives the same faults", async () => {
  const refusals = async (): Promise<boolean[]> => {
    const handler = withFaults(countingHandler().handler, [{ which: { chance: 0.5 }, fault: throttled }], {
      rng: seededRng(3),
    });
    const responses = [];
    for (let attempt = 0; attempt < 40; attempt++) {
      responses.push(await handler.handle(requestOf("GET", "/version")));
    }
    return responses.map((response) => response.type === "buffered" && response.status === 429);
  };
  const [first, second] = [await refusals(), await refusals()];
  expect(first).toEqual(second);
  expect(first.filter(Boolean).length).toBeGreaterThan(10);
  expect(first.filter(Boolean).length).toBeLessThan(30);
});

const throttled: FaultRule["fault"] & { type: "refuse" } = { type: "refuse", code: 429 };

function countingHandler(): { readonly handler: Handler; readonly seen: string[] } {
  const seen: string[] = [];
  const handle = async ({
    method,
    path,
  }: {
    method: string;
    path: string;
  }): Promise<BufferedServerResponse> => {
    seen.push(`${method} ${path}`);
    return { type: "buffered", status: 200, headers: {}, body: "ok" };
  };
  return { handler: { handle }, seen };
}

test("each rule counts its matching requests, and the first rule that applies decides the fault", async () => {
  using server = faultyServer(
    { on: creates, which: { nth: 1 }, fault: { type: "refuse", code: 429 } },
    { on: creates, which: { first: 2 }, fault: { type: "refuse", code: 500 } },
    { on: creates, which: { nth: 3 }, fault: { type: "cut", when: "before" } },
  );
  const outcomes = [];
  for (let attempt = 0; attempt < 4; attempt++) outcomes.push(await server.create("a"));
  expect(outcomes).toEqual(["429", "500", "cut", "201"]);
});

test("a refused request gets the response of a throttling or failing server, and the server does not handle it", async () => {
  const { handler, seen } = countingHandler();
  const responses = [];
  for (const fault of [
    throttled,
    { type: "refuse", code: 429, retryAfterSeconds: false },
    { type: "refuse", code: 500 },
    { type: "refuse", code: 503, retryAfterSeconds: 5 },
  ] as const) {
    const response = await withFaults(handler, [{ fault }]).handle(requestOf("GET", "/version"));
    if (response.type === "buffered")
      responses.push([response.status, response.headers["retry-after"], response.body]);
  }
  const status = (fields: object): string =>
    JSON.stringify({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", ...fields });
  expect(responses).toEqual([
    [429, "1", "Too many requests, please try again later.\n"],
    [429, undefined, "Too many requests, please try again later.\n"],
    [
      500,
      undefined,
      status({ message: "Internal error occurred: injected fault", reason: "InternalError", code: 500 }),
    ],
    [
      503,
      "5",
      status({
        message: "the server is currently unable to handle the request",
        reason: "ServiceUnavailable",
        details: { retryAfterSeconds: 5 },
        code: 503,
      }),
    ],
  ]);
  expect(seen).toEqual([]);
});

test("a delayed request reaches the server after the delay", async () => {
  using server = faultyServer({ on: creates, fault: { type: "delay", ms: 3000 } });
  const made = server.create("a");
  await server.clock.advance(2999);
  expect(await server.request("GET", `${configMaps}/a`)).toBe("404");
  await server.clock.advance(1);
  expect([await made, await server.request("GET", `${configMaps}/a`)]).toEqual(["201", "200"]);
});

test("a request that is aborted during its delay is not handled, and leaves no timer", async () => {
  using server = faultyServer({ on: creates, fault: { type: "delay", ms: 3000 } });
  const controller = new AbortController();
  const body = { metadata: { name: "a" } };
  const outcome = server.request("POST", configMaps, { body, signal: controller.signal });
  await settled();
  controller.abort();
  expect([await outcome, await server.request("GET", `${configMaps}/a`)]).toEqual(["cut", "404"]);
  expect(server.clock.timers).toBe(0);
});

test("a connection cut before the response: the server has not handled the request, or has handled it", async () => {
  using server = faultyServer(
    { on: creates, which: { nth: 1 }, fault: { type: "cut", when: "before" } },
    { on: creates, which: { nth: 2 }, fault: { type: "cut", when: "after" } },
  );
  const outcomes = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    outcomes.push(await server.create("a"), await server.request("GET", `${configMaps}/a`));
  }
  expect(outcomes).toEqual(["cut", "404", "cut", "200"]);
});

test("a connection cut in the middle of the body: half of the announced length arrives", async () => {
  const { handler } = countingHandler();
  const cutting = withFaults(handler, [{ fault: { type: "cut", when: "middle" } }]);
  const response = await cutting.handle(requestOf("GET", "/version"));
  const received: string[] = [];
  if (response.type === "stream") {
    response.start({
      write: (chunk) => received.push(chunk.toString()) > 0,
      onDrain: () => {},
      end: () => received.push("end"),
      cut: () => received.push("cut"),
    });
  }
  expect([response, received]).toEqual([
    expect.objectContaining({ status: 200, headers: { "content-length": "2" } }),
    ["o", "cut"],
  ]);
});

test("a watch cut in the middle of the body receives half of its first event", async () => {
  using server = faultyServer({ on: { verb: "watch" }, fault: { type: "cut", when: "middle" } });
  await server.create("a");
  const outcome = await server.request("GET", `${configMaps}?watch=1`);
  expect(outcome).toMatch(/^cut after \d\d\d of undefined bytes$/);
  expect(server.clock.timers).toBe(0);
});
