import { expect, test } from "vitest";
import { ConfigMap } from "../src/api/types/core/v1.ts";
import {
  type HistogramDefinition,
  type MetricDefinition,
  prometheus,
  silentLogger,
} from "../src/base/index.ts";
import { clientOver } from "../src/client/index.ts";
import { controller } from "../src/controller/index.ts";
import { manager } from "../src/manager/index.ts";
import { startCluster } from "../src/testing/index.ts";
import { webhook } from "../src/webhook/index.ts";

interface Metric {
  readonly type: "counter" | "gauge" | "histogram";
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
}

const reconcileSeconds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const queueSeconds = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1000];
const requestSeconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const requestBytes = [64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216];

/** The metrics of controller-runtime, without those of DNS lookups, which it leaves off too. */
const controllerRuntime: Readonly<Record<string, Metric>> = {
  controller_runtime_reconcile_total: { type: "counter", labels: ["controller", "result"] },
  controller_runtime_reconcile_errors_total: { type: "counter", labels: ["controller"] },
  controller_runtime_terminal_reconcile_errors_total: { type: "counter", labels: ["controller"] },
  controller_runtime_reconcile_panics_total: { type: "counter", labels: ["controller"] },
  controller_runtime_reconcile_timeouts_total: { type: "counter", labels: ["controller"] },
  controller_runtime_reconcile_time_seconds: {
    type: "histogram",
    labels: ["controller"],
    buckets: reconcileSeconds,
  },
  controller_runtime_max_concurrent_reconciles: { type: "gauge", labels: ["controller"] },
  controller_runtime_active_workers: { type: "gauge", labels: ["controller"] },
  workqueue_depth: { type: "gauge", labels: ["name", "controller", "priority"] },
  workqueue_adds_total: { type: "counter", labels: ["name", "controller"] },
  workqueue_retries_total: { type: "counter", labels: ["name", "controller"] },
  workqueue_queue_duration_seconds: {
    type: "histogram",
    labels: ["name", "controller"],
    buckets: queueSeconds,
  },
  workqueue_work_duration_seconds: {
    type: "histogram",
    labels: ["name", "controller"],
    buckets: queueSeconds,
  },
  workqueue_unfinished_work_seconds: { type: "gauge", labels: ["name", "controller"] },
  workqueue_longest_running_processor_seconds: { type: "gauge", labels: ["name", "controller"] },
  rest_client_requests_total: { type: "counter", labels: ["code", "method", "host"] },
  rest_client_request_duration_seconds: {
    type: "histogram",
    labels: ["verb", "host"],
    buckets: requestSeconds,
  },
  rest_client_rate_limiter_duration_seconds: {
    type: "histogram",
    labels: ["verb", "host"],
    buckets: requestSeconds,
  },
  rest_client_request_size_bytes: { type: "histogram", labels: ["verb", "host"], buckets: requestBytes },
  rest_client_response_size_bytes: { type: "histogram", labels: ["verb", "host"], buckets: requestBytes },
  rest_client_request_retries_total: { type: "counter", labels: ["code", "verb", "host"] },
  leader_election_master_status: { type: "gauge", labels: ["name"] },
  controller_runtime_webhook_requests_total: { type: "counter", labels: ["webhook", "code"] },
  controller_runtime_webhook_requests_in_flight: { type: "gauge", labels: ["webhook"] },
  controller_runtime_webhook_latency_seconds: {
    type: "histogram",
    labels: ["webhook"],
    buckets: queueSeconds,
  },
  controller_runtime_webhook_panics_total: { type: "counter", labels: [] },
  controller_runtime_conversion_webhook_panics_total: { type: "counter", labels: [] },
};

/** Returns a registry that records the definition of every metric. */
function recording(defined: Record<string, Metric>): ReturnType<typeof prometheus> {
  const registry = prometheus();
  const record = (type: Metric["type"], { name, labels = [] }: MetricDefinition<string>): void => {
    defined[name] = { type, labels };
  };
  return Object.assign(Object.create(registry) as typeof registry, {
    counter(definition: MetricDefinition<string>) {
      record("counter", definition);
      return registry.counter(definition);
    },
    gauge(definition: MetricDefinition<string>) {
      record("gauge", definition);
      return registry.gauge(definition);
    },
    histogram(definition: HistogramDefinition<string>) {
      const { name, labels = [], buckets = [] } = definition;
      defined[name] = { type: "histogram", labels, buckets };
      return registry.histogram(definition);
    },
  });
}

test("metrics have controller-runtime's names, labels and buckets", async () => {
  const defined: Record<string, Metric> = {};
  const registry = recording(defined);
  await using cluster = await startCluster();
  const rateLimit = { perSecond: 1000, burst: 1000 };
  const client = clientOver(cluster.client.transport, { namespace: "default", metrics: registry, rateLimit });
  const controllers = [controller({ name: "configmap", for: ConfigMap, reconcile: async () => {} })];
  const made = manager({
    controllers,
    webhooks: [webhook(ConfigMap, { validate() {} })],
    webhookServer: { host: "127.0.0.1", port: 0, service: { name: "a" } },
    client,
    registry,
    leaderElection: { name: "a" },
    log: silentLogger,
  });
  await made.runUntil(made.ready);
  const ours = Object.entries(defined).filter(([name]) => name in controllerRuntime);
  expect(Object.fromEntries(ours)).toEqual(controllerRuntime);
});
