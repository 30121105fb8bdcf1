import type { Counter, Gauge, Metrics } from "../base/index.ts";

/** Metrics of an election under client-go's names, so that dashboards for Go programs work. */
export class ElectionMeter {
  readonly #labels: { readonly name: string };
  readonly #status: Gauge<"name">;
  readonly #slowPaths: Counter<"name">;

  constructor(name: string, metrics: Metrics) {
    this.#labels = { name };
    const labels = ["name"] as const;
    this.#status = metrics.gauge({
      name: "leader_election_master_status",
      help: "1 if this process holds the lease with that name, 0 otherwise",
      labels,
    });
    this.#slowPaths = metrics.counter({
      name: "leader_election_slowpath_total",
      help: "Renewals that had to read the lease first",
      labels,
    });
    this.leads(false);
  }

  leads(leads: boolean): void {
    this.#status.set(this.#labels, leads ? 1 : 0);
  }

  tookSlowPath(): void {
    this.#slowPaths.add(this.#labels);
  }
}
