/**
 * Rotates managed certificates while reviews arrive, in real time with a clock of the servers that runs faster. The
 * engine `binaries` is skipped until `npm run kube` has built its programs.
 */
import { once } from "node:events";
import { Agent, type RequestOptions, request } from "node:https";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ValidatingWebhookConfiguration } from "../api/types/admissionregistration/v1.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { type Clock, type LogEntry, loggerTo, noMetrics, realClock, realRng, sleep } from "../base/index.ts";
import { type Cluster, MissingBinariesError, startCluster } from "../testing/index.ts";
import { issuePair, writeState } from "./certificate-secret.ts";
import { RunningWebhooks } from "./running-webhooks.ts";
import { webhook } from "./webhook.ts";
import { webhookSetup } from "./webhook-setup.ts";
import { reviewText } from "./website.fixture.ts";

const host = "127.0.0.1";
const path = "/validate--v1-configmap";
const name = "rotation";
const dayMs = 86_400_000;
/** How much faster the clock of the servers runs: five minutes are ten seconds. */
const speed = 30;
const perSecond = 500;
/** A busy machine sends fewer. A request that waited in this process would have the CAs of an earlier time. */
const maxInFlight = 16;

/** A clock that starts at the time of the machine and runs faster. */
function fastClock(): Clock {
  const [startMs, startedMs] = [realClock.now(), realClock.monotonic()];
  const elapsed = (): number => (realClock.monotonic() - startedMs) * speed;
  return {
    now: () => startMs + elapsed(),
    monotonic: elapsed,
    timer: (afterMs, run, options) => realClock.timer(afterMs / speed, run, options),
  };
}

/** A TCP server that passes connections on to ports in turn, as a Service does. */
class Service implements AsyncDisposable {
  readonly ports: number[] = [];
  readonly #server: Server;
  #connections = 0;

  private constructor() {
    this.#server = createServer((socket) => {
      const port = this.ports[this.#connections++ % this.ports.length] ?? 0;
      const replica = connect(port, host);
      socket.pipe(replica).pipe(socket);
      for (const each of [socket, replica])
        each.on("error", () => [socket, replica].map((end) => end.destroy()));
    });
  }

  static async start(): Promise<Service> {
    const service = new Service();
    service.#server.listen(0, host);
    await once(service.#server, "listening");
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
  }
}

/** Two replicas behind a Service, whose certificate was issued the given time ago. */
class Replicas implements AsyncDisposable {
  readonly logged: LogEntry[] = [];
  readonly #cluster: Cluster;
  readonly #clock: Clock = fastClock();
  readonly service: Service;
  readonly #all: RunningWebhooks[] = [];

  private constructor(cluster: Cluster, service: Service) {
    this.#cluster = cluster;
    this.service = service;
  }

  static async start(cluster: Cluster): Promise<Replicas> {
    const replicas = new Replicas(cluster, await Service.start());
    await Promise.all([replicas.#add(), replicas.#add()]);
    return replicas;
  }

  async #add(): Promise<void> {
    const log = loggerTo((entry) => {
      this.logged.push(entry);
      if (entry.message === "serving") this.service.ports.push(Number(entry.fields.port));
    });
    const { client } = this.#cluster;
    const maps = webhook(ConfigMap, { name: `${name}.example.dev`, path, timeoutSeconds: 30, validate() {} });
    const options = { host, port: 0, url: `https://${host}:${this.service.port}`, name };
    const setup = webhookSetup([maps], options, "default");
    const context = {
      client,
      live: client,
      log,
      metrics: noMetrics,
      clock: this.#clock,
      rng: realRng,
      graceMs: 1,
    };
    this.#all.push(await RunningWebhooks.start(setup, context));
  }

  messages(): string[] {
    return this.logged.map(({ message }) => message).filter((message) => message !== "serving");
  }

  /** Returns the CAs of the registration. */
  async bundle(): Promise<string> {
    const found = await this.#cluster.client.get(ValidatingWebhookConfiguration, name);
    return Buffer.from(found?.webhooks?.[0]?.clientConfig.caBundle ?? "", "base64").toString();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cluster.client.delete(ValidatingWebhookConfiguration, name);
    await Promise.all(this.#all.map((each) => each[Symbol.asyncDispose]()));
    await this.service[Symbol.asyncDispose]();
  }
}

const review = reviewText({
  kind: { group: "", version: "v1", kind: "ConfigMap" },
  resource: { group: "", version: "v1", resource: "configmaps" },
  object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } },
});

/** Sends a review as an API server does. Returns "allowed" or what went wrong. */
function post(port: number, options: RequestOptions): Promise<string> {
  const headers = { "content-type": "application/json" };
  return new Promise((resolve) => {
    const sent = request(
      { host, port, path: `${path}?timeout=30s`, method: "POST", headers, ...options },
      (response) =>
        void textOf(response).then((text) => resolve(/"allowed":true/.test(text) ? "allowed" : text)),
    );
    sent.on("error", (error) => resolve(error.message));
    sent.end(review);
  });
}

/** The results of requests, and how many there were of each. */
class Results {
  readonly counts = new Map<string, number>();
  readonly #pending = new Set<Promise<void>>();

  add(answer: Promise<string>): void {
    const pending = answer.then((result) => {
      this.counts.set(result, (this.counts.get(result) ?? 0) + 1);
      this.#pending.delete(pending);
    });
    this.#pending.add(pending);
  }

  get inFlight(): number {
    return this.#pending.size;
  }

  async done(): Promise<[string, number][]> {
    await Promise.all(this.#pending);
    return [...this.counts];
  }
}

/** The CAs that an API server trusts that learns of a registration with a delay of four minutes of the fast clock. */
class LateTrust {
  readonly #known: { readonly atMs: number; readonly bundle: string }[] = [];

  learn(bundle: string): void {
    this.#known.push({ atMs: realClock.monotonic(), bundle });
  }

  get ca(): string {
    const at = realClock.monotonic() - 240_000 / speed;
    return (this.#known.findLast(({ atMs }) => atMs <= at) ?? this.#known[0])?.bundle ?? "";
  }
}

test.for(["embedded", "binaries"] as const)(
  "no admission of 500 a second fails while managed certificates rotate (%s)",
  { timeout: 180_000 },
  async (engine, { skip }) => {
    const cluster = await startCluster({ engine }).catch((error: unknown) => {
      if (error instanceof MissingBinariesError) return undefined;
      throw error;
    });
    if (!cluster) return skip("kube-apiserver is not built here: npm run kube");
    await using _cluster = { [Symbol.asyncDispose]: () => cluster.close() };
    const state = { current: issuePair([host], realClock.now() - 250 * dayMs) };
    const metadata = { name: `${name}-webhook-certificates`, namespace: "default" };
    await cluster.client.create(Secret, { metadata, type: "kubernetes.io/tls", data: writeState(state) });
    await using replicas = await Replicas.start(cluster);
    const { port } = replicas.service;
    const [direct, throughServer, trust] = [new Results(), new Results(), new LateTrust()];
    const agent = new Agent({ keepAlive: true, maxSockets: 16, scheduling: "fifo" });
    const rotated = (): number =>
      replicas.messages().filter((message) => message === "webhook certificate rotated").length;
    trust.learn(state.current.ca);
    const startedMs = realClock.monotonic();
    let sent = 0;
    let end = Number.POSITIVE_INFINITY;
    while (sent < end) {
      const due = ((realClock.monotonic() - startedMs) / 1000) * perSecond;
      for (; sent < due && direct.inFlight < maxInFlight; sent += 1) {
        // Most reviews use open connections again. Every twentieth needs one of its own.
        direct.add(post(port, { ca: trust.ca, agent: sent % 20 === 0 ? false : agent }));
      }
      if (throughServer.inFlight < maxInFlight) throughServer.add(admitted(cluster));
      trust.learn(await replicas.bundle());
      if (rotated() === 2) end = Math.min(end, sent + 2 * perSecond);
      await sleep(10);
    }
    expect(await direct.done()).toEqual([["allowed", sent]]);
    agent.destroy();
    expect(await throughServer.done()).toEqual([["allowed", expect.any(Number)]]);
    expect(replicas.messages()).toEqual(["webhook certificate rotated", "webhook certificate rotated"]);
    expect((await replicas.bundle()).match(/BEGIN/g)?.length).toBe(2);
  },
);

/** Creates a ConfigMap without storing it, which calls the webhook. */
async function admitted({ client }: Cluster): Promise<string> {
  const metadata = { generateName: "rotation-", namespace: "default" };
  try {
    await client.create(ConfigMap, { metadata }, { dryRun: true });
    return "allowed";
  } catch (error) {
    return String(error);
  }
}
