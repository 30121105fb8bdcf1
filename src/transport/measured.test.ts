import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { type Metrics, prometheus, TokenBucket, VirtualClock } from "../base/index.ts";
import { measured, measuredLimiter } from "./measured.ts";
import { RequestMeter } from "./request-meter.ts";
import { retrying } from "./retrying.ts";
import { broken, scripted, status } from "./scripted-transport.fixture.ts";
import type { Transport } from "./transport.ts";

/** Returns the samples in `text`, without buckets. */
function samples(text: string): string[] {
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#") && !line.includes("_bucket"));
}

function recordedIn(metrics: Metrics, server = "https://10.0.0.1:6443"): RequestMeter {
  const meter = new RequestMeter(server);
  meter.record(metrics);
  return meter;
}

const silent = (): void => {};

test("requests are counted by code, method and host, and timed by verb and host", async () => {
  const metrics = prometheus();
  const clock = new VirtualClock();
  const below = scripted(status(200), status(404), status(200));
  const slow: Transport = {
    ...below,
    async send(request) {
      await clock.advance(250);
      return below.send(request);
    },
  };
  const transport = measured(slow, { meter: recordedIn(metrics), clock, onWarning: silent });
  await transport.send({ method: "GET", path: "/a" });
  await transport.send({ method: "GET", path: "/b" });
  await transport.open({ method: "POST", path: "/c" });
  const timed = samples(await metrics.text()).filter((line) => !line.includes("_size_"));
  expect(timed).toEqual([
    'rest_client_requests_total{code="200",method="GET",host="10.0.0.1:6443"} 1',
    'rest_client_requests_total{code="404",method="GET",host="10.0.0.1:6443"} 1',
    'rest_client_requests_total{code="200",method="POST",host="10.0.0.1:6443"} 1',
    'rest_client_request_duration_seconds_sum{verb="GET",host="10.0.0.1:6443"} 0.5',
    'rest_client_request_duration_seconds_count{verb="GET",host="10.0.0.1:6443"} 2',
    'rest_client_request_duration_seconds_sum{verb="POST",host="10.0.0.1:6443"} 0',
    'rest_client_request_duration_seconds_count{verb="POST",host="10.0.0.1:6443"} 1',
  ]);
});

test("the buckets are those of client-go", async () => {
  const metrics = prometheus();
  await measured(scripted(status(200)), { meter: recordedIn(metrics), onWarning: silent }).send({
    method: "GET",
    path: "/",
  });
  const found = (await metrics.text()).matchAll(/client_(\w+)_bucket\{le="([^"]+)"/g);
  const bounds: Record<string, string[]> = {};
  for (const [, name = "", bound = ""] of found) bounds[name] = [...(bounds[name] ?? []), bound];
  const bytes = "64 256 512 1024 4096 16384 65536 262144 1048576 4194304 16777216 +Inf".split(" ");
  expect(bounds).toEqual({
    request_duration_seconds: "0.005 0.025 0.1 0.25 0.5 1 2 4 8 15 30 60 +Inf".split(" "),
    request_size_bytes: bytes,
    response_size_bytes: bytes,
  });
});

test("an attempt without a response is counted as <error>, and its error is rethrown", async () => {
  const metrics = prometheus();
  const error = broken("ECONNREFUSED");
  const transport = measured(scripted(error), { meter: recordedIn(metrics), onWarning: silent });
  await expect(transport.send({ method: "GET", path: "/" })).rejects.toBe(error);
  await expect(transport.open({ method: "GET", path: "/" })).rejects.toBe(error);
  expect(samples(await metrics.text())[0]).toBe(
    'rest_client_requests_total{code="<error>",method="GET",host="10.0.0.1:6443"} 2',
  );
});

test("below retries, each attempt is counted", async () => {
  const metrics = prometheus();
  const clock = new VirtualClock();
  const below = scripted(status(429, { "retry-after": "0" }), status(200));
  const call = retrying(measured(below, { meter: recordedIn(metrics), clock, onWarning: silent }), {
    clock,
  }).send({
    method: "GET",
    path: "/",
  });
  while (await clock.advanceToNext());
  await call;
  expect(samples(await metrics.text()).slice(0, 2)).toEqual([
    'rest_client_requests_total{code="429",method="GET",host="10.0.0.1:6443"} 1',
    'rest_client_requests_total{code="200",method="GET",host="10.0.0.1:6443"} 1',
  ]);
});

test("clients of one process share their metrics", async () => {
  const metrics = prometheus();
  for (const _ of [1, 2]) {
    await measured(scripted(status(200)), { meter: recordedIn(metrics), onWarning: silent }).send({
      method: "GET",
      path: "/",
    });
  }
  expect(samples(await metrics.text())[0]).toBe(
    'rest_client_requests_total{code="200",method="GET",host="10.0.0.1:6443"} 2',
  );
});

test("the host of a server that is not a URL is its name", async () => {
  const metrics = prometheus();
  const inProcess = { ...scripted(status(200)), server: "in this process" };
  await measured(inProcess, { meter: recordedIn(metrics, inProcess.server), onWarning: silent }).send({
    method: "GET",
    path: "/",
  });
  expect(samples(await metrics.text())[0]).toContain('host="in this process"');
});

test("warnings of requests and opened responses are reported", async () => {
  const warnings: string[] = [];
  const below = scripted(
    status(200, { warning: '299 - "a", 299 - "b"' }),
    status(201, { warning: ['299 - "c"'] }),
    status(200),
  );
  const transport = measured(below, {
    meter: recordedIn(prometheus()),
    onWarning: (text) => warnings.push(text),
  });
  await transport.send({ method: "GET", path: "/" });
  await transport.open({ method: "GET", path: "/" });
  await transport.send({ method: "GET", path: "/" });
  expect(warnings).toEqual(["a", "b", "c"]);
});

test("bodies are measured in bytes, except those of opened responses", async () => {
  const metrics = prometheus();
  const transport = measured(scripted(status(200, {}, "four"), status(200)), {
    meter: recordedIn(metrics),
    onWarning: silent,
  });
  await transport.send({ method: "PUT", path: "/", body: "é" });
  await transport.open({ method: "GET", path: "/" });
  expect(samples(await metrics.text()).filter((line) => line.includes("_size_"))).toEqual([
    'rest_client_request_size_bytes_sum{verb="PUT",host="10.0.0.1:6443"} 2',
    'rest_client_request_size_bytes_count{verb="PUT",host="10.0.0.1:6443"} 1',
    'rest_client_response_size_bytes_sum{verb="PUT",host="10.0.0.1:6443"} 4',
    'rest_client_response_size_bytes_count{verb="PUT",host="10.0.0.1:6443"} 1',
  ]);
});

test("a body that a reader received is measured, too", async () => {
  const metrics = prometheus();
  const below: Transport = {
    ...scripted(),
    send: async () => ({ status: 200, headers: {}, body: Buffer.alloc(0), bodyBytes: 300 }),
  };
  await measured(below, { meter: recordedIn(metrics), onWarning: silent }).send({ method: "GET", path: "/" });
  const [line] = samples(await metrics.text()).filter((each) => each.includes("response_size_bytes_sum"));
  expect(line).toMatch(/ 300$/);
});

test("retries are counted by the code of the failed attempt", async () => {
  const metrics = prometheus();
  const meter = recordedIn(metrics);
  const clock = new VirtualClock();
  const below = scripted(status(429, { "retry-after": "0" }), broken("ECONNRESET"), status(200));
  const call = retrying(below, { clock, onRetry: (request, reason) => meter.retried(request, reason) }).send({
    method: "GET",
    path: "/",
  });
  while (await clock.advanceToNext());
  await call;
  expect(samples(await metrics.text())).toEqual([
    'rest_client_request_retries_total{code="429",verb="GET",host="10.0.0.1:6443"} 1',
    'rest_client_request_retries_total{code="<error>",verb="GET",host="10.0.0.1:6443"} 1',
  ]);
});

test("the wait for the client's rate limit is measured by verb and host", async () => {
  const metrics = prometheus();
  const clock = new VirtualClock();
  const bucket = new TokenBucket({ perSecond: 1, burst: 1, clock });
  const limiter = measuredLimiter(bucket, { meter: recordedIn(metrics), clock });
  const transport = retrying(scripted(status(200)), { clock, limiter });
  const calls = ["GET", "GET", "POST"] as const;
  const sent = Promise.all(calls.map((method) => transport.send({ method, path: "/" })));
  while (await clock.advanceToNext());
  await sent;
  expect(samples(await metrics.text())).toEqual([
    'rest_client_rate_limiter_duration_seconds_sum{verb="GET",host="10.0.0.1:6443"} 1',
    'rest_client_rate_limiter_duration_seconds_count{verb="GET",host="10.0.0.1:6443"} 2',
    'rest_client_rate_limiter_duration_seconds_sum{verb="POST",host="10.0.0.1:6443"} 2',
    'rest_client_rate_limiter_duration_seconds_count{verb="POST",host="10.0.0.1:6443"} 1',
  ]);
});

test("each registry counts a request once, until it no longer records", async () => {
  const [shared, own] = [new Registry(), new Registry()];
  const meter = new RequestMeter("https://10.0.0.1:6443");
  const transport = measured(scripted(status(200)), { meter, onWarning: silent });
  meter.record(prometheus(shared));
  {
    using _again = meter.record(prometheus(shared));
    using _own = meter.record(prometheus(own));
    await transport.send({ method: "GET", path: "/" });
  }
  await transport.send({ method: "GET", path: "/" });
  const counts = await Promise.all([shared, own].map((registry) => registry.metrics()));
  expect(counts.map((text) => samples(text)[0]?.split(" ").at(-1))).toEqual(["2", "1"]);
});
