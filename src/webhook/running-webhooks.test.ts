import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ValidatingWebhookConfiguration } from "../api/types/admissionregistration/v1.ts";
import { Secret } from "../api/types/core/v1.ts";
import { type LogEntry, loggerTo, noMetrics, seededRng, VirtualClock } from "../base/index.ts";
import { createAuthority, type KeyedCertificate } from "../certificates/index.ts";
import type { Client } from "../client/index.ts";
import { type Cluster, startCluster } from "../testing/index.ts";
import { RunningWebhooks } from "./running-webhooks.ts";
import type { WebhookServerOptions } from "./server-options.ts";
import { webhook } from "./webhook.ts";
import { webhookSetup } from "./webhook-setup.ts";
import { reviewText, Website } from "./website.fixture.ts";

const dayMs = 86_400_000;
const host = "site.default.svc";
const path = "/validate-example-dev-v1-website";

/** A cluster with replicas of a webhook server. */
class Replicas implements AsyncDisposable {
  readonly logged: LogEntry[] = [];
  readonly cluster: Cluster;
  readonly #all: RunningWebhooks[] = [];

  constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  static async start(): Promise<Replicas> {
    return new Replicas(await startCluster({ clock: new VirtualClock(), rng: seededRng(1) }));
  }

  /** Starts a replica and returns its port. */
  async add(
    clock: VirtualClock,
    options: WebhookServerOptions = {},
    live: Client = this.cluster.client,
  ): Promise<number> {
    const log = loggerTo((entry) => this.logged.push(entry));
    const given = { host: "127.0.0.1", port: 0, service: { name: "site" }, ...options };
    const setup = webhookSetup([webhook(Website, { validate() {} })], given, "default");
    const context = { client: live, live, log, metrics: noMetrics, clock, rng: seededRng(2), graceMs: 1000 };
    this.#all.push(await RunningWebhooks.start(setup, context));
    return Number(this.logged.findLast(({ message }) => message === "serving")?.fields.port);
  }

  /** Returns the CAs of the registration. */
  async bundle(): Promise<string> {
    const found = await this.cluster.client.get(ValidatingWebhookConfiguration, "site.default");
    return Buffer.from(found?.webhooks?.[0]?.clientConfig.caBundle ?? "", "base64").toString();
  }

  get messages(): string[] {
    return this.logged.map(({ message }) => message).filter((message) => message !== "serving");
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.splice(0).map((each) => each[Symbol.asyncDispose]()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.cluster.close();
  }
}

/** Sends a review as an API server with these CAs does. Returns "allowed" or the error. */
function review(port: number, ca: string, client: Partial<KeyedCertificate> = {}): Promise<string> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json" };
    const options = {
      host: "127.0.0.1",
      servername: host,
      port,
      path,
      method: "POST",
      ca,
      agent: false,
      headers,
      ...client,
    };
    const sent = request(
      options,
      (response) =>
        void textOf(response).then((text) => resolve(/"allowed":true/.test(text) ? "allowed" : text)),
    );
    sent.on("error", (error) => resolve(error.message));
    sent.end(reviewText());
  });
}

test("no review fails while managed certificates rotate, although API servers learn of CAs four minutes late", async () => {
  await using replicas = await Replicas.start();
  await replicas.add(new VirtualClock(Date.now() - 250 * dayMs));
  await replicas.stop();
  const clock = new VirtualClock(Date.now());
  const initial = await replicas.bundle();
  const ports = await Promise.all([replicas.add(clock), replicas.add(clock)]);
  const bundles: string[] = Array<string>(24).fill(initial);
  const results = new Map<string, number>();
  for (let step = 0; step < 75; step += 1) {
    await clock.advance(10_000);
    bundles.push(await replicas.bundle());
    const known = bundles.at(-25) ?? "";
    const sent = [0, 1, 2, 3, 4, 5, 6].map((count) => review(ports[count % 2] ?? 0, known));
    for (const result of await Promise.all(sent)) results.set(result, (results.get(result) ?? 0) + 1);
  }
  expect([...results]).toEqual([["allowed", 525]]);
  expect(replicas.messages).toEqual(["webhook certificate rotated", "webhook certificate rotated"]);
  expect(new Set(bundles).size).toBe(2);
});

test("two replicas that start at once have one pair", async () => {
  await using replicas = await Replicas.start();
  const clock = new VirtualClock(Date.now());
  const ports = await Promise.all([replicas.add(clock), replicas.add(clock)]);
  const bundle = await replicas.bundle();
  expect(bundle.match(/BEGIN/g)?.length).toBe(1);
  expect(await Promise.all(ports.map((port) => review(port, bundle)))).toEqual(["allowed", "allowed"]);
  expect((await replicas.cluster.client.list(Secret)).length).toBe(1);
});

test("CAs of client certificates are read again when their file changes, also with managed certificates", async () => {
  await using replicas = await Replicas.start();
  const clock = new VirtualClock(Date.now());
  const folder = mkdtempSync(join(tmpdir(), "trimtab-webhook-"));
  const clientCaFile = join(folder, "client-ca.crt");
  const [former, renewed] = [createAuthority("former"), createAuthority("renewed")];
  const client = renewed.client({ commonName: "kube-apiserver" });
  writeFileSync(clientCaFile, former.cert);
  const port = await replicas.add(clock, { clientCaFile });
  const ca = await replicas.bundle();
  expect(await review(port, ca, client)).not.toBe("allowed");
  writeFileSync(clientCaFile, renewed.cert);
  await clock.advance(10_000);
  expect(await review(port, ca, client)).toBe("allowed");
  writeFileSync(clientCaFile, "junk");
  await clock.advance(10_000);
  expect(await review(port, ca, client)).toBe("allowed");
  expect(replicas.messages).toEqual([
    "certificate reloaded",
    "certificate is invalid; keeping the current one",
  ]);
  rmSync(folder, { recursive: true });
});

test("a file without CAs of client certificates is an error at the start", async () => {
  await using replicas = await Replicas.start();
  const clientCaFile = "/nonexistent/ca.crt";
  const start = replicas.add(new VirtualClock(Date.now()), { clientCaFile });
  await expect(start).rejects.toThrow(`expected the certificate of a CA in ${clientCaFile}, got ENOENT`);
});

test("a registration that is changed or deleted is repaired within a minute", async () => {
  await using replicas = await Replicas.start();
  const clock = new VirtualClock(Date.now());
  await replicas.add(clock);
  await replicas.cluster.client.delete(ValidatingWebhookConfiguration, "site.default");
  await clock.advance(60_000);
  expect(await replicas.bundle()).toContain("BEGIN CERTIFICATE");
});

test("a registration that fails is logged and tried again, and the server serves meanwhile", async () => {
  await using replicas = await Replicas.start();
  const clock = new VirtualClock(Date.now());
  let failing = true;
  const client = replicas.cluster.client.through((transport) => ({
    ...transport,
    send: (sent) =>
      failing && sent.path.includes("webhookconfigurations")
        ? Promise.reject(new Error("no route to host"))
        : transport.send(sent),
  }));
  const port = await replicas.add(clock, {}, client);
  const secret = await replicas.cluster.client.get(Secret, "site-webhook-certificates");
  const ca = Buffer.from(secret?.data?.["ca.crt"] ?? "", "base64").toString();
  expect(await review(port, ca)).toBe("allowed");
  await clock.advance(1000);
  failing = false;
  await clock.advance(2000);
  expect(await replicas.bundle()).toBe(ca);
  expect(replicas.messages).toEqual([
    "webhook registration failed; retrying",
    "webhook registration failed; retrying",
  ]);
});

test("without registration the next certificate is used five minutes after it was written", async () => {
  await using replicas = await Replicas.start();
  const registration = "none";
  // Two thirds of 365 days and one hour, of which the hour is before the start.
  const dueMs = ((365 * 24 + 1) * (2 / 3) - 1) * 3_600_000;
  await replicas.add(new VirtualClock(Date.now() - dueMs + 30_000), { registration });
  await replicas.stop();
  const clock = new VirtualClock(Date.now());
  await replicas.add(clock, { registration });
  await clock.advance(300_000);
  expect(replicas.messages).toEqual([]);
  await clock.advance(60_000);
  expect(replicas.messages).toEqual(["webhook certificate rotated"]);
  expect(await replicas.cluster.client.list(ValidatingWebhookConfiguration)).toEqual([]);
});

test("a temporary registration that fails is an error", async () => {
  await using replicas = await Replicas.start();
  const client = replicas.cluster.client.through((transport) => ({
    ...transport,
    send: (sent) =>
      sent.path.includes("webhookconfigurations")
        ? Promise.reject(new Error("no route to host"))
        : transport.send(sent),
  }));
  const options = { registration: "temporary" } as const;
  await expect(replicas.add(new VirtualClock(), options, client)).rejects.toThrow("no route to host");
});
