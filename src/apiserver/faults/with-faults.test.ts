import { expect, test } from "vitest";
import { seededRng, settled } from "../../base/index.ts";
import type { BufferedServerResponse, Handler } from "../exchange.ts";
import type { FaultRule } from "./fault-rule.ts";
import { configMaps, faultyServer, requestOf } from "./faulty-server.fixture.ts";
import { withFaults } from "./with-faults.ts";

const creates = { verb: "create", resource: "configmaps" } as const;

test("of the requests that match, the n-th meets the fault", async () => {
  using server = faultyServer({ on: creates, which: { nth: 2 }, fault: { type: "refuse", code: 503 } });
  expect([await server.make("a"), await server.make("b"), await server.make("b")]).toEqual([
    "201",
    "503",
    "201",
  ]);
});

test("of the requests that match, the first few meet the fault", async () => {
  using server = faultyServer({ on: creates, which: { first: 2 }, fault: { type: "refuse", code: 500 } });
  expect([await server.make("a"), await server.make("a"), await server.make("a")]).toEqual([
    "500",
    "500",
    "201",
  ]);
});

test("every request that matches meets the fault, and no other does", async () => {
  using server = faultyServer({ on: creates, fault: { type: "refuse", code: 504 } });
  expect([await server.make("a"), await server.ask("GET", configMaps), await server.make("a")]).toEqual([
    "504",
    "200",
    "504",
  ]);
});

test("chance is drawn for each request that matches, the same for the same seed", async () => {
  const refusals = async (): Promise<boolean[]> => {
    const handler = withFaults(counting().handler, [{ which: { chance: 0.5 }, fault: refused }], {
      rng: seededRng(3),
    });
    const answers = [];
    for (let asked = 0; asked < 40; asked++) answers.push(await handler.handle(requestOf("GET", "/version")));
    return answers.map((answer) => answer.type === "buffered" && answer.status === 429);
  };
  const [one, other] = [await refusals(), await refusals()];
  expect(one).toEqual(other);
  expect(one.filter(Boolean).length).toBeGreaterThan(10);
  expect(one.filter(Boolean).length).toBeLessThan(30);
});

const refused: FaultRule["fault"] & { type: "refuse" } = { type: "refuse", code: 429 };

function counting(): { readonly handler: Handler; readonly seen: string[] } {
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

test("each rule counts for itself: the first that is due has its way, and the others have counted too", async () => {
  using server = faultyServer(
    { on: creates, which: { nth: 1 }, fault: { type: "refuse", code: 429 } },
    { on: creates, which: { first: 2 }, fault: { type: "refuse", code: 500 } },
    { on: creates, which: { nth: 3 }, fault: { type: "cut", when: "before" } },
  );
  const outcomes = [];
  for (let tried = 0; tried < 4; tried++) outcomes.push(await server.make("a"));
  expect(outcomes).toEqual(["429", "500", "cut", "201"]);
});

test("a refusal is what a busy or failing server says, and the server behind it does not see the request", async () => {
  const { handler, seen } = counting();
  const answers = [];
  for (const fault of [
    refused,
    { type: "refuse", code: 429, retryAfterSeconds: false },
    { type: "refuse", code: 500 },
    { type: "refuse", code: 503, retryAfterSeconds: 5 },
  ] as const) {
    const answer = await withFaults(handler, [{ fault }]).handle(requestOf("GET", "/version"));
    if (answer.type === "buffered") answers.push([answer.status, answer.headers["retry-after"], answer.body]);
  }
  const status = (fields: object): string =>
    JSON.stringify({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", ...fields });
  expect(answers).toEqual([
    [429, "1", "Too many requests, please try again later.\n"],
    [429, undefined, "Too many requests, please try again later.\n"],
    [
      500,
      undefined,
      status({ message: "Internal error occurred: a fault on purpose", reason: "InternalError", code: 500 }),
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

test("a delayed request reaches the server when its time has passed", async () => {
  using server = faultyServer({ on: creates, fault: { type: "delay", ms: 3000 } });
  const made = server.make("a");
  await server.clock.advance(2999);
  expect(await server.ask("GET", `${configMaps}/a`)).toBe("404");
  await server.clock.advance(1);
  expect([await made, await server.ask("GET", `${configMaps}/a`)]).toEqual(["201", "200"]);
});

test("a client that goes during a delay has sent nothing, and leaves no timer", async () => {
  using server = faultyServer({ on: creates, fault: { type: "delay", ms: 3000 } });
  const gone = new AbortController();
  const body = { metadata: { name: "a" } };
  const asked = server.ask("POST", configMaps, { body, signal: gone.signal });
  await settled();
  gone.abort();
  expect([await asked, await server.ask("GET", `${configMaps}/a`)]).toEqual(["cut", "404"]);
  expect(server.clock.timers).toBe(0);
});

test("a connection cut before the answer: the server has not seen the request, or has done it", async () => {
  using server = faultyServer(
    { on: creates, which: { nth: 1 }, fault: { type: "cut", when: "before" } },
    { on: creates, which: { nth: 2 }, fault: { type: "cut", when: "after" } },
  );
  const story = [];
  for (let tried = 0; tried < 2; tried++) {
    story.push(await server.make("a"), await server.ask("GET", `${configMaps}/a`));
  }
  expect(story).toEqual(["cut", "404", "cut", "200"]);
});

test("a connection cut in mid-body: half of what the head promised comes", async () => {
  const { handler } = counting();
  const cutting = withFaults(handler, [{ fault: { type: "cut", when: "middle" } }]);
  const answer = await cutting.handle(requestOf("GET", "/version"));
  const heard: string[] = [];
  if (answer.type === "stream") {
    answer.start({
      write: (chunk) => heard.push(chunk.toString()) > 0,
      onDrain: () => {},
      end: () => heard.push("end"),
      cut: () => heard.push("cut"),
    });
  }
  expect([answer, heard]).toEqual([
    expect.objectContaining({ status: 200, headers: { "content-length": "2" } }),
    ["o", "cut"],
  ]);
});

test("a watch cut in mid-body loses its first event in the middle", async () => {
  using server = faultyServer({ on: { verb: "watch" }, fault: { type: "cut", when: "middle" } });
  await server.make("a");
  const story = await server.ask("GET", `${configMaps}?watch=1`);
  expect(story).toMatch(/^cut after \d\d\d of undefined bytes$/);
  expect(server.clock.timers).toBe(0);
});
