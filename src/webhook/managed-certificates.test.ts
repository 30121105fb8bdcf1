import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { Secret } from "../api/types/core/v1.ts";
import { type LogEntry, loggerTo, seededRng, VirtualClock } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import { type Cluster, startCluster } from "../testing/index.ts";
import { bundleOf, issuePair, readState, writeState } from "./certificate-secret.ts";
import { ManagedCertificates } from "./managed-certificates.ts";

const key = { name: "site-webhook-certificates", namespace: "default" };
const hosts = ["site.default.svc"];
const dayMs = 86_400_000;

/** A cluster, and replicas that share certificates in it. */
class Replicas implements AsyncDisposable {
  readonly logged: LogEntry[] = [];
  readonly #all: ManagedCertificates[] = [];
  readonly cluster: Cluster;
  clock: VirtualClock = new VirtualClock();

  constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  static async start(): Promise<Replicas> {
    return new Replicas(await startCluster({ clock: new VirtualClock(), rng: seededRng(2) }));
  }

  add(names: readonly string[] = hosts, client: Client = this.cluster.client): ManagedCertificates {
    const log = loggerTo((entry) => this.logged.push(entry));
    const added = new ManagedCertificates({
      ...key,
      client,
      hosts: names,
      log,
      clock: this.clock,
      rng: seededRng(1),
    });
    this.#all.push(added);
    return added;
  }

  /** Ends all replicas and continues at a later time. */
  async restartAfter(ms: number): Promise<ManagedCertificates> {
    await this.#end();
    this.clock = new VirtualClock(this.clock.now() + ms);
    const certificates = this.add();
    await certificates.start();
    return certificates;
  }

  async secret(): Promise<Secret> {
    const secret = await this.cluster.client.get(Secret, key);
    if (!secret) throw new Error("expected a Secret, got none");
    return secret;
  }

  async #end(): Promise<void> {
    for (const each of this.#all.splice(0)) await each[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    await this.cluster.close();
  }
}

function pems(bundle: string | undefined): string[] {
  return bundle?.match(/-----BEGIN[\s\S]+?END CERTIFICATE-----\n/g) ?? [];
}

test("the first replica creates a pair from a CA of its own for the host names", async () => {
  await using replicas = await Replicas.start();
  const certificates = replicas.add();
  await certificates.start();
  const { cert } = certificates.current;
  const leaf = new X509Certificate(cert);
  const [ca = ""] = pems(certificates.bundle);
  expect([leaf.subjectAltName, leaf.checkIssued(new X509Certificate(ca))]).toEqual([
    "DNS:site.default.svc",
    true,
  ]);
  const { type, data = {} } = await replicas.secret();
  expect([type, Object.keys(data)]).toEqual(["kubernetes.io/tls", ["ca.crt", "tls.crt", "tls.key"]]);
});

test("replicas that start at once share one pair", async () => {
  await using replicas = await Replicas.start();
  const all = [replicas.add(), replicas.add(), replicas.add()];
  await Promise.all(all.map((each) => each.start()));
  expect(new Set(all.map(({ current }) => current.cert)).size).toBe(1);
  expect(new Set(all.map(({ bundle }) => bundle)).size).toBe(1);
});

test("after two thirds of its time a pair is replaced: both CAs are published, and five minutes later the next is used", async () => {
  await using replicas = await Replicas.start();
  const first = replicas.add();
  await first.start();
  const { cert } = first.current;
  const [oldCa] = pems(first.bundle);
  const before = await replicas.restartAfter(240 * dayMs);
  expect([before.current.cert === cert, pems(before.bundle).length]).toEqual([true, 1]);

  const certificates = await replicas.restartAfter(4 * dayMs);
  const other = replicas.add();
  await other.start();
  expect([certificates.current.cert === cert, pems(certificates.bundle).length]).toEqual([true, 2]);
  const { bundle = "" } = certificates;

  await replicas.clock.advance(600_000); // nothing is confirmed, so nothing changes
  expect(certificates.current.cert).toBe(cert);

  certificates.confirmPublished(bundle);
  await replicas.clock.advance(240_000);
  expect(certificates.current.cert).toBe(cert);
  await replicas.clock.advance(120_000);
  expect(certificates.current.cert).not.toBe(cert);
  expect(pems(certificates.bundle)).toEqual(pems(bundle));
  expect(pems(certificates.bundle)[0]).toBe(oldCa);

  await replicas.clock.advance(60_000); // the other replica reads the Secret
  expect(other.current.cert).toBe(certificates.current.cert);
  expect(replicas.logged.map(({ message }) => message)).toEqual([
    "webhook certificate rotated",
    "webhook certificate rotated",
  ]);
});

test("a bundle without the next CA does not count as published", async () => {
  await using replicas = await Replicas.start();
  await replicas.add().start();
  const certificates = await replicas.restartAfter(250 * dayMs);
  const { cert } = certificates.current;
  const [oldCa = ""] = pems(certificates.bundle);
  certificates.confirmPublished(oldCa);
  await replicas.clock.advance(600_000);
  expect(certificates.current.cert).toBe(cert);
});

/** Replaces or removes the data of a Secret. */
function withData(secret: Secret, changes: Record<string, string>): Secret {
  const encoded = Object.entries(changes).map(([name, text]) => [name, Buffer.from(text).toString("base64")]);
  return { ...secret, data: { ...secret.data, ...Object.fromEntries(encoded) } };
}

test.each([
  ["deleted", (client: Client) => client.delete(Secret, key)],
  [
    "damaged",
    (client: Client, secret: Secret) => client.update(Secret, withData(secret, { "tls.key": "junk" })),
  ],
  [
    "damaged in its CA",
    (client: Client, secret: Secret) => client.update(Secret, withData(secret, { "ca.crt": "" })),
  ],
])(
  "a Secret that is %s is restored, and its pair is replaced after the next CA was published",
  async (_, change) => {
    await using replicas = await Replicas.start();
    const [first, second] = [replicas.add(), replicas.add()];
    await Promise.all([first.start(), second.start()]);
    const { cert } = first.current;
    await change(replicas.cluster.client, await replicas.secret());
    await replicas.clock.advance(60_000);
    expect([first.current.cert, second.current.cert]).toEqual([cert, cert]);
    expect(second.bundle).toBe(first.bundle);
    expect(pems(first.bundle)).toHaveLength(2);
    const state = readState((await replicas.secret()).data ?? {}, { hosts, nowMs: replicas.clock.now() });
    expect(state.current?.cert).toBe(cert);

    for (const each of [first, second]) each.confirmPublished(first.bundle ?? "");
    await replicas.clock.advance(420_000);
    expect(first.current.cert).not.toBe(cert);
    expect(second.current.cert).toBe(first.current.cert);
  },
);

test("a pair for other host names, or one that has expired, is replaced at once", async () => {
  await using replicas = await Replicas.start();
  await replicas.add().start();
  const renamed = replicas.add(["other.default.svc"]);
  await renamed.start();
  expect(new X509Certificate(renamed.current.cert).subjectAltName).toBe("DNS:other.default.svc");

  const expired = await replicas.restartAfter(400 * dayMs);
  expect(Date.parse(new X509Certificate(expired.current.cert).validTo)).toBeGreaterThan(replicas.clock.now());
});

test("a pair that is not valid yet is not used: the clock of another replica is ahead", async () => {
  await using replicas = await Replicas.start();
  const certificates = replicas.add();
  await certificates.start();
  const { cert } = certificates.current;
  const early = issuePair(hosts, replicas.clock.now() + dayMs);
  const secret = await replicas.secret();
  await replicas.cluster.client.update(Secret, { ...secret, data: writeState({ current: early }) });
  await replicas.clock.advance(60_000);
  expect(certificates.current.cert).toBe(cert);
});

test("other data of the Secret stays", async () => {
  await using replicas = await Replicas.start();
  const { client } = replicas.cluster;
  const data = { password: "c2VjcmV0", "tls.key": "" };
  await client.create(Secret, { metadata: key, data });
  await replicas.add().start();
  expect((await replicas.secret()).data).toMatchObject({
    password: "c2VjcmV0",
    "tls.key": expect.any(String),
  });
});

test("a CA without a last line break does not damage the bundle", () => {
  const [current, next] = [issuePair(hosts, 0), issuePair(hosts, 0)];
  const bundle = bundleOf({ current: { ...current, ca: current.ca.trim() }, next });
  expect(bundle).toBe(`${current.ca}${next.ca}`);
});

test("certificates stay while the API server fails, and the failure is logged", async () => {
  await using replicas = await Replicas.start();
  let failing = false;
  const client = replicas.cluster.client.through((transport) => ({
    ...transport,
    send: (request) => (failing ? Promise.reject(new Error("no route to host")) : transport.send(request)),
  }));
  const certificates = replicas.add(hosts, client);
  await certificates.start();
  const { cert } = certificates.current;
  failing = true;
  await replicas.clock.advance(120_000);
  failing = false;
  await replicas.clock.advance(60_000);
  expect(certificates.current.cert).toBe(cert);
  const message = "checking the webhook certificates failed; keeping the current ones";
  expect(replicas.logged.map((entry) => entry.message)).toEqual([message, message]);
});

test("a state is read as it was written", () => {
  const nowMs = Date.UTC(2026, 0, 1);
  const state = {
    current: issuePair(hosts, nowMs),
    next: issuePair(hosts, nowMs),
    previousCa: issuePair(hosts, nowMs).ca,
  };
  expect(readState(writeState(state), { hosts, nowMs })).toEqual(state);
  expect(readState({}, { hosts, nowMs })).toEqual({
    current: undefined,
    next: undefined,
    previousCa: undefined,
  });
});
