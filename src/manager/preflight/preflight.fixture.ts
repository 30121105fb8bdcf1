import { expect } from "vitest";
import { type Kind, kind } from "../../api/index.ts";
import { Deployment } from "../../api/types/apps/v1.ts";
import { Secret } from "../../api/types/core/v1.ts";
import { type LogEntry, loggerTo, seededRng, VirtualClock } from "../../base/index.ts";
import { type Client, ConfigError } from "../../client/index.ts";
import { type Cluster, startCluster } from "../../testing/index.ts";
import type { Need } from "./needs.ts";
import { type PreflightOptions, preflight } from "./preflight.ts";

/** Runs preflight checks against an embedded API server on virtual time. */
export class World implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly cluster: Cluster;
  readonly logged: LogEntry[] = [];

  private constructor(cluster: Cluster, clock: VirtualClock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  static async start(): Promise<World> {
    const clock = new VirtualClock();
    return new World(await startCluster({ clock, rng: seededRng(1) }), clock);
  }

  get client(): Client {
    return this.cluster.client;
  }

  /** Runs the checks, advancing time as needed. Returns "fine" or the error. */
  async check(
    needs: readonly Need[],
    client = this.client,
    options: PreflightOptions = {},
  ): Promise<unknown> {
    const { clock } = this;
    const log = loggerTo((entry) => this.logged.push(entry));
    let over = false;
    const outcome = preflight(client, needs, { clock, log, ...options })
      .then(
        () => "fine",
        (error: unknown) => error,
      )
      .finally(() => {
        over = true;
      });
    await clock.advance(0);
    while (!over) await clock.advance(250);
    return outcome;
  }

  async problems(needs: readonly Need[], client = this.client): Promise<readonly string[]> {
    const outcome = await this.check(needs, client);
    expect(outcome).toBeInstanceOf(ConfigError);
    return (outcome as ConfigError).problems; // checked above
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster.close();
    expect(this.clock.timers).toBe(0);
  }
}

export const Website: Kind = kind({
  group: "example.dev",
  version: "v1",
  kind: "Website",
  plural: "websites",
  namespaced: true,
});

export const websites: Need = {
  kind: Website,
  verbs: ["list", "watch"],
  why: "controller website watches it",
};
export const deployments: Need = {
  kind: Deployment,
  verbs: ["list", "watch"],
  why: "controller website owns it",
};
export const secrets: Need = { kind: Secret, verbs: ["list", "watch"], why: "controller website watches it" };
