import { type AnyKind, isDiscovered } from "../api/index.ts";
import type { Counter, Gauge, Histogram, Metrics } from "../base/index.ts";

type Label = "name" | "group" | "version" | "resource";

/** Metrics of an informer. They have client-go's names where client-go has such a metric. */
export class InformerMeter {
  readonly #labels: Readonly<Record<Label, string>>;
  readonly #queued: Gauge<Label>;
  readonly #batches: Histogram<Label>;
  readonly #version: Gauge<Label>;
  readonly #objects: Gauge<Label>;
  readonly #bytes: Gauge<Label>;
  readonly #undecodable: Counter<Label>;
  readonly #failures: Counter<Label>;

  constructor(name: string, kind: AnyKind, metrics: Metrics) {
    const { group, version } = kind;
    const labels = ["name", "group", "version", "resource"] as const;
    this.#labels = { name, group, version, resource: isDiscovered(kind) ? kind.plural : kind.kind };
    const gauge = (metric: string, help: string): Gauge<Label> =>
      metrics.gauge({ name: `informer_${metric}`, help, labels });
    const counter = (metric: string, help: string): Counter<Label> =>
      metrics.counter({ name: `informer_${metric}`, help, labels });
    this.#queued = gauge("queued_items", "Number of events that wait for the slowest handler");
    this.#version = gauge(
      "store_resource_version",
      "Resource version up to which the cache is current: its last 15 digits",
    );
    this.#objects = gauge("objects", "Number of objects in the cache");
    this.#bytes = gauge("bytes", "Off-heap memory of the objects in the cache");
    this.#undecodable = counter(
      "undecodable_objects_total",
      "Number of versions of objects that could not be decoded",
    );
    this.#failures = counter("handler_failures_total", "Number of events for which a handler failed");
    this.#batches = metrics.histogram({
      name: "informer_processing_latency_seconds",
      help: "Duration of applying a batch of changes to the cache, and of the first slice of delivering it",
      labels,
      buckets,
    });
    for (const each of [this.#undecodable, this.#failures]) each.add(this.#labels, 0);
  }

  /** @param resourceVersion version up to which all namespaces of the store are current */
  batch(tookMs: number, { size, slab }: Measured, resourceVersion: string): void {
    this.#batches.observe(this.#labels, tookMs / 1000);
    this.#objects.set(this.#labels, size);
    this.#bytes.set(this.#labels, slab.size);
    const digits = Number(resourceVersion.slice(-15));
    if (!Number.isNaN(digits)) this.#version.set(this.#labels, digits);
  }

  queued(events: number): void {
    this.#queued.set(this.#labels, events);
  }

  decodeFailed(): void {
    this.#undecodable.add(this.#labels);
  }

  failed(): void {
    this.#failures.add(this.#labels);
  }

  /** Removes the gauges of a closed informer. */
  close(): void {
    for (const gauge of [this.#queued, this.#version, this.#objects, this.#bytes]) gauge.remove(this.#labels);
  }
}

/** The part of a store that is measured. */
export interface Measured {
  readonly size: number;
  readonly slab: { readonly size: number };
}

const buckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
