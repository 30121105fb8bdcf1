import type { AnyKind } from "../api/index.ts";
import type { Clock, ListenAddress, Logger, Metrics, Rng } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { Cache, Controller } from "../controller/index.ts";
import { RunningWebhooks, requiredAccess, type WebhookSetup, webhookSetup } from "../webhook/internal.ts";
import type { ManagerOptions } from "./manager.ts";
import type { Need } from "./preflight/needs.ts";
import type { HealthCheck } from "./servers/health-server.ts";
import { watchedKinds } from "./watched-parts.ts";

export interface WebhooksContext {
  /** Reads from the caches and writes without leadership, for handlers. */
  readonly client: Client;
  readonly cache: Cache;
  /** Reads from the server. */
  readonly live: Client;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly rng: Rng;
}

/** The webhooks of a manager. */
export class ManagedWebhooks {
  readonly #options: Pick<ManagerOptions, "webhooks" | "webhookServer">;
  #running: RunningWebhooks | undefined;

  constructor(options: Pick<ManagerOptions, "webhooks" | "webhookServer">) {
    this.#options = options;
  }

  /** Readiness checks: none without webhooks. */
  get checks(): HealthCheck[] {
    if (!this.#enabled) return [];
    const check = (): void => {
      if (!this.#running)
        throw new Error("expected the webhook server to listen, got one that has not started");
      this.#running.check();
    };
    return [{ name: "webhooks", check }];
  }

  /** `undefined` while the server does not listen. */
  get address(): ListenAddress | undefined {
    return this.#running?.address;
  }

  /** Returns the permissions that the server needs. Throws a `ConfigError` if its options are invalid. */
  needs(client: Client): Need[] {
    return this.#enabled ? requiredAccess(this.#setup(client)) : [];
  }

  /**
   * Returns true if this program converts the kind. Its caches do not gate readiness: they may need the conversion,
   * which works only after the Pod is ready, because a Service routes to ready Pods only.
   */
  converts({ group, kind }: AnyKind): boolean {
    const { webhooks = [] } = this.#options;
    return webhooks.some(
      (each) => "conversion" in each && each.conversion.group === group && each.conversion.kind === kind,
    );
  }

  /** Returns true if this program converts a kind of the controller. */
  convertsFor(controller: Controller): boolean {
    return watchedKinds(controller).some(({ kind }) => this.converts(kind));
  }

  /** Resolves when the server listens, with an object that stops it. */
  async start(context: WebhooksContext): Promise<AsyncDisposable> {
    if (this.#enabled)
      this.#running = await RunningWebhooks.start(this.#setup(context.live), { ...context, graceMs });
    return { [Symbol.asyncDispose]: async () => this.#running?.[Symbol.asyncDispose]() };
  }

  get #enabled(): boolean {
    return (this.#options.webhooks?.length ?? 0) > 0;
  }

  #setup({ namespace }: Client): WebhookSetup {
    const { webhooks = [], webhookServer = {} } = this.#options;
    return webhookSetup(webhooks, webhookServer, namespace);
  }
}

/** Time for reviews in flight at the end. */
const graceMs = 10_000;
