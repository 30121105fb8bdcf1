import { expect, test } from "vitest";
import { noTracer, prometheus, TokenBucket, VirtualClock } from "../base/index.ts";
import { ApiError } from "./api-error.ts";
import { measured } from "./measured.ts";
import { RequestMeter } from "./request-meter.ts";
import { retrying } from "./retrying.ts";
import { broken, openConnection, scripted, upgradable } from "./scripted-transport.fixture.ts";
import { traced } from "./traced.ts";
import type { Transport, UpgradeRequest } from "./transport.ts";

const request: UpgradeRequest = { method: "GET", path: "/exec", protocol: "v5.channel.k8s.io" };
const refused = new ApiError("refused", { code: 503, reason: "ServiceUnavailable", retryAfterMs: 1000 });

const layers: ReadonlyArray<readonly [name: string, layer: (transport: Transport) => Transport]> = [
  ["retrying", (transport) => retrying(transport)],
  ["traced", (transport) => traced(transport, noTracer)],
  ["measured", (transport) => measured(transport, { meter: new RequestMeter("https://a"), onWarning() {} })],
];

test.each(layers)("%s passes a WebSocket on, and has none over a transport without it", async (_, layer) => {
  const connection = openConnection();
  const below = upgradable(connection);
  expect(await layer(below).upgrade?.(request)).toBe(connection);
  expect(below.upgrades).toEqual([request]);
  expect(layer(scripted()).upgrade).toBeUndefined();
});

test.each([refused, broken("ECONNRESET")])(
  "a WebSocket that fails with %s is not tried again",
  async (error) => {
    const below = upgradable(error);
    await expect(retrying(below).upgrade?.(request)).rejects.toBe(error);
    expect(below.upgrades).toHaveLength(1);
  },
);

test("a WebSocket waits for the rate limit, except in a lane", async () => {
  const clock = new VirtualClock();
  const below = upgradable(openConnection());
  const limiter = new TokenBucket({ perSecond: 1, burst: 1, clock });
  const transport = retrying(below, { limiter, clock });
  await transport.upgrade?.(request);
  const waiting = transport.upgrade?.(request);
  await transport.upgrade?.({ ...request, lane: "own" });
  expect(below.upgrades).toHaveLength(2);
  await clock.advance(1000);
  await waiting;
  expect(below.upgrades).toHaveLength(3);
});

test("a WebSocket is counted with 101, with the code of its refusal, or with <error>", async () => {
  const metrics = prometheus();
  const meter = new RequestMeter("https://a");
  meter.record(metrics);
  for (const result of [openConnection(), refused, broken("ECONNRESET")]) {
    await measured(upgradable(result), { meter, onWarning() {} })
      .upgrade?.(request)
      .catch(() => {});
  }
  const counted = (await metrics.text())
    .split("\n")
    .filter((line) => line.startsWith("rest_client_requests_total{"));
  expect(counted).toEqual([
    'rest_client_requests_total{code="101",method="GET",host="a"} 1',
    'rest_client_requests_total{code="503",method="GET",host="a"} 1',
    'rest_client_requests_total{code="<error>",method="GET",host="a"} 1',
  ]);
});
