import {
  asError,
  Backoff,
  type Clock,
  type ListenAddress,
  type Logger,
  type Metrics,
  type Rng,
  type Timer,
} from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { Cache } from "../controller/index.ts";
import {
  CertificateFiles,
  type CertificateSource,
  caFile,
  GivenCertificate,
  type WatchedFiles,
} from "../serving/index.ts";
import { ManagedCertificates } from "./managed-certificates.ts";
import { Registration } from "./registration.ts";
import { WebhookServer } from "./webhook-server.ts";
import type { WebhookSetup } from "./webhook-setup.ts";
import { hostsOf, type WebhookTarget, withPort } from "./webhook-target.ts";

export interface RunningWebhooksContext {
  /** The client of the handlers. */
  readonly client: Client;
  /** The cache of the handlers. @default reading it throws */
  readonly cache?: Cache | undefined;
  /** The client for the Secret and the registration, which reads from the server. */
  readonly live: Client;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly rng: Rng;
  /** Time for requests in flight at the end. */
  readonly graceMs: number;
}

/** A webhook server with its certificates and its registration, from its start until it is disposed. */
export class RunningWebhooks implements AsyncDisposable {
  readonly #setup: WebhookSetup;
  readonly #context: RunningWebhooksContext;
  readonly #certificates: CertificateSource;
  readonly #clientCas: WatchedFiles<string> | undefined;
  readonly #server: WebhookServer;
  readonly #ended = new AbortController();
  readonly #backoff: Backoff;
  #registration: Registration | undefined;
  #onCertificate: Disposable | undefined;
  #timer: Timer | undefined;
  /** The registration in progress. */
  #syncing: Promise<void> = Promise.resolve();

  private constructor(setup: WebhookSetup, context: RunningWebhooksContext) {
    const { hooks, converters, options } = setup;
    const { port = 9443, host, maxBodyBytes, clientCaFile } = options;
    const { log, clock, rng } = context;
    this.#setup = setup;
    this.#context = context;
    this.#certificates = certificatesOf(setup, context);
    this.#backoff = new Backoff({ initialMs: 1000, maxMs: checkMs, clock, rng });
    this.#clientCas =
      clientCaFile === undefined ? undefined : caFile(clientCaFile, { server: "webhooks", log, clock });
    this.#server = new WebhookServer({
      ...context,
      hooks,
      converters,
      certificates: this.#certificates,
      clientCas: this.#clientCas,
      port,
      host,
      maxBodyBytes,
    });
  }

  /**
   * Resolves when the server listens and the first attempt of the registration is over. A failed registration is logged
   * and tried again; with "temporary" it rejects.
   */
  static async start(setup: WebhookSetup, context: RunningWebhooksContext): Promise<RunningWebhooks> {
    const webhooks = new RunningWebhooks(setup, context);
    try {
      await webhooks.#start();
      return webhooks;
    } catch (error) {
      await webhooks[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** `undefined` after the server has closed. */
  get address(): ListenAddress | undefined {
    return this.#server.address;
  }

  /** Throws unless the server listens. */
  check(): void {
    if (!this.#server.listening)
      throw new Error("expected the webhook server to listen, got one that is closed");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort(new Error("the webhook server is closed"));
    this.#timer?.cancel();
    this.#onCertificate?.[Symbol.dispose]();
    await this.#syncing;
    if (this.#setup.options.registration === "temporary") await this.#remove();
    await this.#server.close();
    this.#clientCas?.[Symbol.dispose]();
    await this.#certificates[Symbol.asyncDispose]();
  }

  async #start(): Promise<void> {
    const { options, target } = this.#setup;
    this.#clientCas?.start();
    await this.#certificates.start();
    const port = await this.#server.listen();
    this.#context.log.info("serving", { server: "webhooks", port });
    const { registration: mode = "managed" } = options;
    if (mode === "none" || !target) return this.#followWithoutRegistration();
    this.#registration = this.#newRegistration(mode, withPort(target, port));
    if (mode === "temporary") await this.#sync();
    else await this.#syncOrRetry();
    this.#onCertificate = this.#certificates.onChange(() => this.#syncSoon());
  }

  /** Treats the CAs as published when they are in the Secret: another program registers them. */
  #followWithoutRegistration(): void {
    const { bundle } = this.#certificates;
    const publish = (): void => this.#confirm(this.#certificates.bundle ?? bundle);
    publish();
    this.#onCertificate = this.#certificates.onChange(publish);
  }

  #newRegistration(mode: "managed" | "temporary" | "bundle", target: WebhookTarget): Registration {
    const { name, namespace, hooks, converters } = this.#setup;
    const { live: client, log, clock } = this.#context;
    const certificates = this.#certificates;
    return new Registration({
      mode,
      name,
      target,
      namespace,
      hooks,
      converters,
      certificates,
      client,
      log,
      clock,
    });
  }

  /** Registers at once, instead of at the next check. */
  #syncSoon(): void {
    this.#timer?.cancel();
    void this.#syncOrRetry();
  }

  /** Registers, and schedules the next check: soon if it failed. Never rejects. */
  #syncOrRetry(): Promise<void> {
    this.#syncing = this.#syncing.then(() => this.#syncAndSchedule());
    return this.#syncing;
  }

  async #syncAndSchedule(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    let afterMs = checkMs;
    try {
      await this.#sync();
      this.#backoff.reset();
    } catch (error) {
      if (this.#ended.signal.aborted) return;
      this.#context.log.error("webhook registration failed; retrying", { error: asError(error).message });
      afterMs = this.#backoff.next();
    }
    this.#timer?.cancel();
    this.#timer = this.#context.clock.timer(afterMs, () => this.#syncSoon(), { background: true });
  }

  async #sync(): Promise<void> {
    this.#confirm(await this.#registration?.sync(this.#ended.signal));
  }

  #confirm(bundle: string | undefined): void {
    if (bundle === undefined || !(this.#certificates instanceof ManagedCertificates)) return;
    this.#certificates.confirmPublished(bundle);
  }

  async #remove(): Promise<void> {
    try {
      await this.#registration?.remove();
    } catch (error) {
      this.#context.log.error("removing the webhook registration failed", { error: asError(error).message });
    }
  }
}

/** How often the registration is checked. */
const checkMs = 60_000;

function certificatesOf(
  { options, target, secret }: WebhookSetup,
  { live: client, log, clock, rng }: RunningWebhooksContext,
): CertificateSource {
  const { certificates = "managed" } = options;
  if (certificates === "managed") {
    const hosts = target ? hostsOf(target) : [];
    return new ManagedCertificates({ ...secret, client, hosts, log, clock, rng });
  }
  if ("certFile" in certificates)
    return new CertificateFiles(certificates, { server: "webhooks", log, clock });
  return new GivenCertificate(certificates);
}
