import fc from "fast-check";
import {
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from "prom-client";
import { expect, test } from "vitest";
import { prometheus } from "./prometheus.ts";

const adds = { name: "workqueue_adds_total", help: "Keys added", labels: ["name"] } as const;

const seen = fc.array(
  fc.record({
    labels: fc.record({ a: fc.constantFrom("x", "", 'q"'), b: fc.constantFrom("x", "y\n") }),
    value: fc.oneof(fc.constantFrom(0, 0.1, 1, 10, -1), fc.double({ noNaN: true, min: -1, max: 20 })),
  }),
);

test("a counter counts by 1 by default, separately for each set of labels", async () => {
  const metrics = prometheus();
  const counter = metrics.counter(adds);
  counter.add({ name: "a" });
  counter.add({ name: "a" }, 2);
  counter.add({ name: "b" });
  expect(await metrics.text()).toBe(`# HELP workqueue_adds_total Keys added
# TYPE workqueue_adds_total counter
workqueue_adds_total{name="a"} 3
workqueue_adds_total{name="b"} 1
`);
});

test("a gauge shows the last value, and no series once removed", async () => {
  const metrics = prometheus();
  const gauge = metrics.gauge({ name: "workqueue_depth", help: "Queued keys", labels: ["name"] });
  gauge.set({ name: "a" }, 5);
  gauge.set({ name: "a" }, 2);
  gauge.set({ name: "b" }, 7);
  gauge.remove({ name: "b" });
  expect(await metrics.text()).toBe(`# HELP workqueue_depth Queued keys
# TYPE workqueue_depth gauge
workqueue_depth{name="a"} 2
`);
});

test("a gauge has one value per set of labels, independent of their order", async () => {
  const metrics = prometheus();
  const definition = { name: "depth", help: "Queued keys", labels: ["name", "priority"] } as const;
  const gauge = metrics.gauge(definition);
  gauge.set({ name: "a", priority: "0" }, 1);
  gauge.set({ priority: "0", name: "a" }, 2);
  gauge.set({ name: "a", priority: "1" }, 3);
  await metrics.text();
  metrics.gauge(definition).set({ name: "a0", priority: "" }, 4);
  gauge.remove({ priority: "1", name: "a" });
  expect((await metrics.text()).match(/^\w.*$/gm)).toEqual([
    'depth{name="a",priority="0"} 2',
    'depth{name="a0",priority=""} 4',
  ]);
});

test("a removed series that is set again is shown again", async () => {
  const metrics = prometheus();
  const gauge = metrics.gauge({ name: "g", help: "h", labels: ["a"] });
  const labels = { a: "1" };
  gauge.set(labels, 1);
  gauge.remove({ a: "1" });
  expect((await metrics.text()).match(/^\w.*$/gm)).toBeNull();
  gauge.set(labels, 2);
  expect((await metrics.text()).match(/^\w.*$/gm)).toEqual(['g{a="1"} 2']);
});

test("a counter continues after a scrape, and cannot decrease", async () => {
  const metrics = prometheus();
  const counter = metrics.counter(adds);
  counter.add({ name: "a" }, 0);
  const seen = [await metrics.text()];
  counter.add({ name: "a" });
  seen.push(await metrics.text());
  counter.add({ name: "a" });
  seen.push(await metrics.text());
  expect(seen.map((text) => /\d+$/m.exec(text)?.[0])).toEqual(["0", "1", "2"]);
  expect(() => counter.add({ name: "a" }, -1)).toThrow("expected a counter to count up, got -1");
});

test("a counter that other code registered can be used", async () => {
  const registry = new Registry();
  const theirs = new Counter({ name: "c", help: "h", labelNames: ["a"], registers: [registry] });
  theirs.inc({ a: "1" });
  prometheus(registry)
    .counter({ name: "c", help: "h", labels: ["a"] })
    .add({ a: "1" });
  expect((await registry.metrics()).match(/^\w.*$/gm)).toEqual(['c{a="1"} 2']);
});

test("a gauge that other code registered can be used", async () => {
  const registry = new Registry();
  const theirs = new Gauge({ name: "g", help: "h", labelNames: ["a"], registers: [registry] });
  theirs.set({ a: "1" }, 1);
  const gauge = prometheus(registry).gauge({ name: "g", help: "h", labels: ["a"] });
  gauge.set({ a: "2" }, 2);
  gauge.remove({ a: "1" });
  expect((await registry.metrics()).match(/^\w.*$/gm)).toEqual(['g{a="2"} 2']);
});

test("a metric without labels takes empty labels", async () => {
  const metrics = prometheus();
  metrics.gauge({ name: "ready", help: "Whether ready" }).set({}, 1);
  expect(await metrics.text()).toContain("\nready 1\n");
});

test("a histogram counts into its own buckets", async () => {
  const metrics = prometheus();
  const histogram = metrics.histogram({
    name: "seconds",
    help: "Time taken",
    labels: ["verb"],
    buckets: [0.1, 1],
  });
  for (const seconds of [0.05, 0.5, 5]) histogram.observe({ verb: "GET" }, seconds);
  expect(await metrics.text()).toBe(`# HELP seconds Time taken
# TYPE seconds histogram
seconds_bucket{le="0.1",verb="GET"} 1
seconds_bucket{le="1",verb="GET"} 2
seconds_bucket{le="+Inf",verb="GET"} 3
seconds_sum{verb="GET"} 5.55
seconds_count{verb="GET"} 3
`);
});

test("a histogram continues after a scrape, separately for each set of labels", async () => {
  const metrics = prometheus();
  const definition = { name: "s", help: "h", labels: ["verb"], buckets: [1] } as const;
  const histogram = metrics.histogram(definition);
  histogram.observe({ verb: "GET" }, 1);
  await metrics.text();
  metrics.histogram(definition).observe({ verb: "GET" }, 1.5);
  histogram.observe({ verb: "PUT" }, 0);
  expect((await metrics.text()).match(/^\w.*$/gm)).toEqual([
    's_bucket{le="1",verb="GET"} 1',
    's_bucket{le="+Inf",verb="GET"} 2',
    's_sum{verb="GET"} 2.5',
    's_count{verb="GET"} 2',
    's_bucket{le="1",verb="PUT"} 1',
    's_bucket{le="+Inf",verb="PUT"} 1',
    's_sum{verb="PUT"} 0',
    's_count{verb="PUT"} 1',
  ]);
});

test("a histogram shows the same text as prom-client for any observations", async () => {
  const definition = { name: "s", help: "h", buckets: [0.1, 1, 10] };
  await fc.assert(
    fc.asyncProperty(seen, async (observations) => {
      const [registry, other] = [new Registry(), new Registry()];
      const ours = prometheus(registry).histogram({ ...definition, labels: ["a", "b"] });
      const theirs = new Histogram({ ...definition, labelNames: ["a", "b"], registers: [other] });
      for (const { labels, value } of observations) {
        ours.observe(labels, value);
        theirs.observe(labels, value);
      }
      expect(await registry.metrics()).toBe(await other.metrics());
      const plain = (metrics: MetricObjectWithValues<MetricValue<string>>[]): unknown =>
        metrics.map(({ name, type, values }) => [
          name,
          type,
          values.map(({ labels, value }) => [labels, value]),
        ]);
      expect(plain(await registry.getMetricsAsJSON())).toEqual(plain(await other.getMetricsAsJSON()));
    }),
  );
});

test("a histogram without labels exists before the first observation", async () => {
  const metrics = prometheus();
  metrics.histogram({ name: "s", help: "h", buckets: [1] });
  expect((await metrics.text()).match(/^\w.*$/gm)).toEqual([
    's_bucket{le="1"} 0',
    's_bucket{le="+Inf"} 0',
    "s_sum 0",
    "s_count 0",
  ]);
});

test("a histogram rejects a value that is not a number", () => {
  const histogram = prometheus().histogram({ name: "s", help: "h" });
  expect(() => histogram.observe({}, Number.NaN)).toThrow("expected a number to observe, got NaN");
});

test("a histogram that other code registered can be used", async () => {
  const registry = new Registry();
  const theirs = new Histogram({ name: "s", help: "h", buckets: [], registers: [registry] });
  theirs.observe(1);
  prometheus(registry).histogram({ name: "s", help: "h" }).observe({}, 2);
  expect((await registry.metrics()).match(/^\w.*$/gm)).toEqual([
    's_bucket{le="+Inf"} 2',
    "s_sum 3",
    "s_count 2",
  ]);
});

test("a histogram without buckets has the client's default buckets", async () => {
  const metrics = prometheus();
  metrics.histogram({ name: "seconds", help: "Time taken" }).observe({}, 0.3);
  const bounds = (await metrics.text()).match(/(?<=le=")[^"]+/g);
  expect(bounds).toEqual("0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf".split(" "));
});

test("a second definition of a name returns the same metric", async () => {
  const metrics = prometheus();
  metrics.counter(adds).add({ name: "a" });
  metrics.counter({ ...adds, help: "other words" }).add({ name: "a" });
  for (const value of [1, 2]) metrics.gauge({ name: "g", help: "h" }).set({}, value);
  for (const value of [1, 2]) metrics.histogram({ name: "h", help: "h", buckets: [] }).observe({}, value);
  const text = await metrics.text();
  expect(text.match(/^\w.*$/gm)).toEqual([
    'workqueue_adds_total{name="a"} 2',
    "g 2",
    'h_bucket{le="+Inf"} 2',
    "h_sum 3",
    "h_count 2",
  ]);
});

test("two sets of metrics are separate unless they share a registry", async () => {
  prometheus().counter(adds).add({ name: "elsewhere" });
  const registry = new Registry();
  prometheus(registry).counter(adds).add({ name: "a" });
  prometheus(registry).counter(adds).add({ name: "a" });
  expect(await prometheus(registry).text()).toMatch(/\{name="a"\} 2\n$/);
  expect(await registry.metrics()).toBe(await prometheus(registry).text());
  expect(await prometheus().text()).toBe("\n");
});

test("a name that is registered as another type is rejected", () => {
  const metrics = prometheus();
  metrics.counter(adds);
  expect(() => metrics.gauge(adds)).toThrow(
    "expected metric workqueue_adds_total to be a Gauge, got one that is registered as another type",
  );
  expect(() => metrics.histogram(adds)).toThrow("to be a Histogram");
});

test("the content type is that of the Prometheus text format", () => {
  expect(prometheus().contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
});

test("metrics of the process are added on request, before the others", async () => {
  const metrics = prometheus();
  metrics.counter(adds).add({ name: "a" });
  const own = await metrics.text();
  const text = await metrics.text({ process: true });
  expect(text.endsWith(own)).toBe(true);
  const names = Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      "process_cpu_seconds_total",
      "process_resident_memory_bytes",
      "nodejs_version_info",
    ]),
  );
  expect(names.length).toBe(new Set(names).size);
});

test("metrics of the process that the registry has are not repeated", async () => {
  const registry = new Registry();
  new Gauge({ name: "nodejs_version_info", help: "mine", registers: [registry] }).set(7);
  const text = await prometheus(registry).text({ process: true });
  expect(text.match(/^nodejs_version_info.*/gm)).toEqual(["nodejs_version_info 7"]);
});

test("metrics of the process keep the end mark of the OpenMetrics format last", async () => {
  const registry = new Registry();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never); // the type has one format per registry
  const text = await prometheus(registry).text({ process: true });
  expect(text.match(/# EOF/g)).toEqual(["# EOF"]);
  expect(text.endsWith("# EOF\n")).toBe(true);
  expect(text).toContain("# TYPE process_cpu_seconds counter");
});
