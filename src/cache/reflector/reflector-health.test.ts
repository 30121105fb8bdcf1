import { expect, test } from "vitest";
import { type PrometheusMetrics, prometheus } from "../../base/index.ts";
import { lost, refused, Stream } from "./scripted-transport.fixture.ts";
import { added, bookmark, error, initialEnd, list, object, TestReflector } from "./test-reflector.fixture.ts";

const startMs = Date.UTC(2026, 0, 1);

test("the phase is empty before the start and closed after the end", async () => {
  const reflector = new TestReflector([], { signal: AbortSignal.abort() });
  await reflector.running;
  expect(reflector.reflector.health).toEqual({
    phase: "closed",
    sinceMs: startMs,
    resourceVersion: undefined,
    lastHeardMs: undefined,
    silentMs: undefined,
    lastEventMs: undefined,
    restarts: 0,
    lastError: undefined,
  });
});

test("the phase is listing and then watching, with its start and the resource version", async () => {
  const stream = new Stream();
  await using reflector = new TestReflector([stream]);
  await reflector.clock.advance(1000);
  stream.lines(added("a", "3")).text('{"type":');
  expect(reflector.reflector.health).toMatchObject({
    phase: "listing",
    sinceMs: startMs,
    resourceVersion: undefined,
    lastHeardMs: startMs + 1000,
    lastEventMs: startMs + 1000,
  });
  await reflector.clock.advance(1000);
  stream.text(JSON.stringify(initialEnd("10")).slice('{"type":'.length)).text("\n");
  await reflector.clock.advance(1000);
  stream.text('{"type":');
  expect(reflector.reflector.health).toEqual({
    phase: "watching",
    sinceMs: startMs + 2000,
    resourceVersion: "10",
    lastHeardMs: startMs + 3000,
    silentMs: 0,
    lastEventMs: startMs + 2000,
    restarts: 0,
    lastError: undefined,
  });
});

test("a watch that opens without events counts as received and clears the last error", async () => {
  await using reflector = new TestReflector([
    new Stream().lines(initialEnd("10")),
    lost("ECONNRESET"),
    new Stream(),
  ]);
  await reflector.clock.advance(140_000);
  expect(reflector.reflector.health).toMatchObject({
    phase: "watching",
    lastHeardMs: expect.toSatisfy((ms: number) => ms > startMs + 70_000),
    lastEventMs: startMs,
    lastError: undefined,
  });
});

test("resourceVersion is that of the last event or bookmark", async () => {
  const stream = new Stream().lines(initialEnd("10"));
  await using reflector = new TestReflector([stream]);
  await reflector.received();
  stream.lines(added("a", "11"));
  expect(reflector.reflector.health.resourceVersion).toBe("11");
  stream.lines(bookmark("15"));
  expect(reflector.reflector.health.resourceVersion).toBe("15");
});

test("resourceVersion does not change during a relist", async () => {
  const stream = new Stream().lines(initialEnd("10"), added("a", "11"), error(410, "Expired"));
  await using reflector = new TestReflector([stream]);
  await reflector.requests();
  expect(reflector.reflector.health).toMatchObject({ phase: "waiting", resourceVersion: "11", restarts: 1 });
  await reflector.next();
  expect(reflector.reflector.health).toMatchObject({ phase: "listing", resourceVersion: "11", restarts: 1 });
});

test("lastError is set until the server sends something", async () => {
  const stream = new Stream();
  await using reflector = new TestReflector([lost("ECONNREFUSED"), stream]);
  await reflector.requests();
  expect(reflector.reflector.health.lastError?.message).toBe("expected a response, got ECONNREFUSED");
  await reflector.next();
  expect(reflector.reflector.health.lastError?.message).toBe("expected a response, got ECONNREFUSED");
  stream.lines(initialEnd("10"));
  expect(reflector.reflector.health.lastError).toBeUndefined();
});

/** Returns the values of a metric by their other labels, or its only value. */
async function read(metrics: PrometheusMetrics): Promise<Record<string, number>> {
  const lines = (await metrics.text()).matchAll(
    /^reflector_(\w+)\{name="configmaps"(?:,(?:reason|phase)="(\w+)")?\} (\S+)$/gm,
  );
  return Object.fromEntries(
    Array.from(lines, ([, name, label, value]) => [label ? `${name} ${label}` : name, Number(value)]),
  );
}

test("lists and watches have metrics with client-go's names", async () => {
  const metrics = prometheus();
  const watch = new Stream();
  const replies = [
    refused({ code: 422, reason: "Invalid" }),
    list("10", [object("a", "3"), object("b", "4")]),
    watch,
  ];
  await using reflector = new TestReflector(replies, { metrics });
  await reflector.requests();
  watch.lines(added("c", "11"));
  await reflector.clock.advance(5000);
  watch.end();
  await reflector.requests();
  expect(await read(metrics)).toMatchObject({
    lists_total: 2,
    items_per_list_sum: 2,
    items_per_list_count: 1,
    list_duration_seconds_count: 1,
    watches_total: 3,
    items_per_watch_sum: 1,
    watch_duration_seconds_sum: 5,
    watch_duration_seconds_count: 1,
    "restarts_total unsupported": 1,
    "restarts_total ended": 1,
  });
});

test("a streaming list counts as a list and as a watch", async () => {
  const metrics = prometheus();
  const stream = new Stream();
  await using reflector = new TestReflector([stream], { metrics });
  await reflector.clock.advance(2000);
  stream.lines(added("a", "3"), initialEnd("10"));
  expect(await read(metrics)).toMatchObject({
    lists_total: 1,
    items_per_list_sum: 1,
    list_duration_seconds_sum: 2,
    watches_total: 1,
  });
});

test("the phase, its start and the last bytes are metrics", async () => {
  const metrics = prometheus();
  const stream = new Stream();
  await using reflector = new TestReflector([stream], { metrics });
  await reflector.clock.advance(2000);
  stream.lines(initialEnd("10"));
  await reflector.clock.advance(3000);
  stream.text('{"type":');
  expect(await read(metrics)).toMatchObject({
    "phase listing": 0,
    "phase watching": 1,
    "phase waiting": 0,
    phase_since_timestamp_seconds: startMs / 1000 + 2,
    last_event_timestamp_seconds: startMs / 1000 + 2,
    last_heard_timestamp_seconds: startMs / 1000 + 5,
  });
});

test("a watch that ends at once counts as a short watch", async () => {
  const metrics = prometheus();
  await using reflector = new TestReflector([new Stream().end(), list("10", [])], { metrics });
  await reflector.requests();
  expect(await read(metrics)).toMatchObject({ short_watches_total: 1, "restarts_total short": 1 });
});

test("a reflector that has ended leaves no gauges", async () => {
  const metrics = prometheus();
  const reflector = new TestReflector([new Stream().lines(initialEnd("10"))], { metrics });
  await reflector.received();
  await reflector.end();
  const left = Object.keys(await read(metrics)).filter((name) => /phase|timestamp/.test(name));
  expect(left).toEqual([]);
});
