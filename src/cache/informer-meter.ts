import { type AnyKind, isDiscovered } from "../api/index.ts";
import type { Counter, Gauge, Histogram, Metrics } from "../base/index.ts";

type Label = "name" | "group" | "version" | "resource";

/** Measures an informer, under client-go's names where it has one. */
export class InformerMeter {
  readonly #labels: Readonly<Record<Label, string>>;
  readonly #waiting: Gauge<Label>;
  readonly #batches: Histogram<Label>;
  readonly #version: Gauge<Label>;
  readonly #objects: Gauge<Label>;
  readonly #bytes: Gauge<Label>;
  readonly #decodeFailed: Counter<Label>;
  readonly #failures: Counter<Label>;

  constructor(name: string, kind: AnyKind, metrics: Metrics) {
    const { group, version } = kind;
    const labels = ["name", "group", "version", "resource"] as const;
    this.#labels = { name, group, version, resource: isDiscovered(kind) ? kind.plural : kind.kind };
    const gauge = (metric: string, help: string): Gauge<Label> =>
      metrics.gauge({ name: `informer_${metric}`, help, labels });
    const counter = (metric: string, help: string): Counter<Label> =>
      metrics.counter({ name: `informer_${metric}`, help, labels });
    this.#waiting = gauge("queued_items", "Events that wait for the handler that is most behind");
    this.#version = gauge(
      "store_resource_version",
      "How far the copy is: the last 15 digits of that version",
    );
    this.#objects = gauge("objects", "Objects in the copy");
    this.#bytes = gauge(
      "bytes",
      "Memory that the objects in the copy take: part of the process's, not of Node's heap",
    );
    this.#decodeFailed = counter("set_aside_total", "Objects that could not be read and were set aside");
    this.#failures = counter("handler_failures_total", "Events at which a handler failed");
    this.#batches = metrics.histogram({
      name: "informer_processing_latency_seconds",
      help: "How long it took to take a batch of changes into the copy, and to tell of it while there was time",
      labels,
      buckets,
    });
    for (const each of [this.#decodeFailed, this.#failures]) each.add(this.#labels, 0);
  }

  /** @param resourceVersion that the store has reached, in all of its namespaces */
  batch(tookMs: number, { size, slab }: Measured, resourceVersion: string): void {
    this.#batches.observe(this.#labels, tookMs / 1000);
    this.#objects.set(this.#labels, size);
    this.#bytes.set(this.#labels, slab.size);
    const digits = Number(resourceVersion.slice(-15));
    if (!Number.isNaN(digits)) this.#version.set(this.#labels, digits);
  }

  waiting(events: number): void {
    this.#waiting.set(this.#labels, events);
  }

  decodeFailed(): void {
    this.#decodeFailed.add(this.#labels);
  }

  failed(): void {
    this.#failures.add(this.#labels);
  }

  /** What is not there any more has no state. */
  close(): void {
    for (const gauge of [this.#waiting, this.#version, this.#objects, this.#bytes])
      gauge.remove(this.#labels);
  }
}

/** What is looked at of a store. */
export interface Measured {
  readonly size: number;
  readonly slab: { readonly size: number };
}

const buckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
