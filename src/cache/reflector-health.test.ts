import { expect, test } from "vitest";
import { type PrometheusMetrics, prometheus } from "../base/index.ts";
import { added, bookmark, error, initialEnd, list, object, Reflected } from "./reflected.fixture.ts";
import { lost, refused, Stream } from "./scripted-transport.fixture.ts";

const startMs = Date.UTC(2026, 0, 1);

test("before it runs, it is empty; when it has ended, closed", async () => {
  const reflected = new Reflected([], { signal: AbortSignal.abort() });
  await reflected.running;
  expect(reflected.reflector.health).toEqual({
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

test("while all there is comes, it is listing, and then watching, since when and from where", async () => {
  const stream = new Stream();
  await using reflected = new Reflected([stream]);
  await reflected.clock.advance(1000);
  stream.lines(added("a", "3")).text('{"type":');
  expect(reflected.reflector.health).toMatchObject({
    phase: "listing",
    sinceMs: startMs,
    resourceVersion: undefined,
    lastHeardMs: startMs + 1000,
    lastEventMs: startMs + 1000,
  });
  await reflected.clock.advance(1000);
  stream.text(JSON.stringify(initialEnd("10")).slice('{"type":'.length)).text("\n");
  await reflected.clock.advance(1000);
  stream.text('{"type":');
  expect(reflected.reflector.health).toEqual({
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

test("a watch that is opened and has nothing to tell was heard, and mends what was wrong", async () => {
  await using reflected = new Reflected([
    new Stream().lines(initialEnd("10")),
    lost("ECONNRESET"),
    new Stream(),
  ]);
  await reflected.clock.advance(140_000);
  expect(reflected.reflector.health).toMatchObject({
    phase: "watching",
    lastHeardMs: expect.toSatisfy((ms: number) => ms > startMs + 70_000),
    lastEventMs: startMs,
    lastError: undefined,
  });
});

test("it is where the last event or bookmark is", async () => {
  const stream = new Stream().lines(initialEnd("10"));
  await using reflected = new Reflected([stream]);
  await reflected.told();
  stream.lines(added("a", "11"));
  expect(reflected.reflector.health.resourceVersion).toBe("11");
  stream.lines(bookmark("15"));
  expect(reflected.reflector.health.resourceVersion).toBe("15");
});

test("it stays where it was while all is asked for anew", async () => {
  const stream = new Stream().lines(initialEnd("10"), added("a", "11"), error(410, "Expired"));
  await using reflected = new Reflected([stream]);
  await reflected.asked();
  expect(reflected.reflector.health).toMatchObject({ phase: "waiting", resourceVersion: "11", restarts: 1 });
  await reflected.next();
  expect(reflected.reflector.health).toMatchObject({ phase: "listing", resourceVersion: "11", restarts: 1 });
});

test("what is wrong is told until something is heard again", async () => {
  const stream = new Stream();
  await using reflected = new Reflected([lost("ECONNREFUSED"), stream]);
  await reflected.asked();
  expect(reflected.reflector.health.lastError?.message).toBe("expected an answer, got ECONNREFUSED");
  await reflected.next();
  expect(reflected.reflector.health.lastError?.message).toBe("expected an answer, got ECONNREFUSED");
  stream.lines(initialEnd("10"));
  expect(reflected.reflector.health.lastError).toBeUndefined();
});

/** All of a name, by their other labels, or the one value there is. */
async function read(metrics: PrometheusMetrics): Promise<Record<string, number>> {
  const lines = (await metrics.text()).matchAll(
    /^reflector_(\w+)\{name="configmaps"(?:,(?:reason|phase)="(\w+)")?\} (\S+)$/gm,
  );
  return Object.fromEntries(
    Array.from(lines, ([, name, label, value]) => [label ? `${name} ${label}` : name, Number(value)]),
  );
}

test("lists and watches are measured, with client-go's names", async () => {
  const metrics = prometheus();
  const watch = new Stream();
  const replies = [
    refused({ code: 422, reason: "Invalid" }),
    list("10", [object("a", "3"), object("b", "4")]),
    watch,
  ];
  await using reflected = new Reflected(replies, { metrics });
  await reflected.asked();
  watch.lines(added("c", "11"));
  await reflected.clock.advance(5000);
  watch.end();
  await reflected.asked();
  expect(await read(metrics)).toMatchObject({
    lists_total: 2,
    items_per_list_sum: 2,
    items_per_list_count: 1,
    list_duration_seconds_count: 1,
    watches_total: 3,
    items_per_watch_sum: 1,
    watch_duration_seconds_sum: 5,
    watch_duration_seconds_count: 1,
    "restarts_total unstreamed": 1,
    "restarts_total ended": 1,
  });
});

test("a stream counts as a list and as a watch", async () => {
  const metrics = prometheus();
  const stream = new Stream();
  await using reflected = new Reflected([stream], { metrics });
  await reflected.clock.advance(2000);
  stream.lines(added("a", "3"), initialEnd("10"));
  expect(await read(metrics)).toMatchObject({
    lists_total: 1,
    items_per_list_sum: 1,
    list_duration_seconds_sum: 2,
    watches_total: 1,
  });
});

test("what it does, since when, and when the server was heard are metrics", async () => {
  const metrics = prometheus();
  const stream = new Stream();
  await using reflected = new Reflected([stream], { metrics });
  await reflected.clock.advance(2000);
  stream.lines(initialEnd("10"));
  await reflected.clock.advance(3000);
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

test("a watch that ends at once is counted apart", async () => {
  const metrics = prometheus();
  await using reflected = new Reflected([new Stream().end(), list("10", [])], { metrics });
  await reflected.asked();
  expect(await read(metrics)).toMatchObject({ short_watches_total: 1, "restarts_total brief": 1 });
});

test("one that has ended leaves no state behind", async () => {
  const metrics = prometheus();
  const reflected = new Reflected([new Stream().lines(initialEnd("10"))], { metrics });
  await reflected.told();
  await reflected.end();
  const left = Object.keys(await read(metrics)).filter((name) => /phase|timestamp/.test(name));
  expect(left).toEqual([]);
});
