import { request } from "node:https";
import { text as textOf } from "node:stream/consumers";
import { expect, test } from "vitest";
import { ValidatingWebhookConfiguration } from "../api/types/admissionregistration/v1.ts";
import { ConfigMap, Secret } from "../api/types/core/v1.ts";
import { deferred } from "../base/index.ts";
import { createAuthority } from "../certificates/index.ts";
import { controller, index } from "../controller/index.ts";
import { type ConvertibleKind, Denied, webhook } from "../webhook/index.ts";
import { withPermissions } from "./limited-client.fixture.ts";
import { Managed, reconciling } from "./managed.fixture.ts";
import type { ManagerOptions } from "./manager.ts";

const authority = createAuthority("test-ca");
const certificates = { ...authority.server(["localhost"]), ca: authority.cert };
const local = { host: "127.0.0.1", port: 0, certificates, registration: "none" } as const;
const watched = reconciling(async () => {});

/** Returns the port of a server of the manager, from its log. */
function portOf(world: Managed, name: string): number {
  const entry = world.logged.find(({ message, fields }) => message === "serving" && fields.server === name);
  return Number(entry?.fields.port ?? 0);
}

/** Sends a review of a ConfigMap, and returns the response. */
async function review(
  world: Managed,
  name = "a",
): Promise<{ allowed: boolean; status: { message?: string } }> {
  const kind = { group: "", version: "v1", kind: "ConfigMap" };
  const resource = { group: "", version: "v1", resource: "configmaps" };
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" } };
  const body = { uid: "1", kind, resource, operation: "CREATE", userInfo: {}, name, object };
  const text = JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: body });
  const answer = await new Promise<string>((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      servername: "localhost",
      port: portOf(world, "webhooks"),
      ca: authority.cert,
    };
    const headers = { "content-type": "application/json" };
    const sent = request({
      ...options,
      agent: false,
      method: "POST",
      path: "/validate--v1-configmap",
      headers,
    });
    sent.on("response", (response) => resolve(textOf(response)));
    sent.on("error", reject);
    sent.end(text);
  });
  return (JSON.parse(answer) as { response: { allowed: boolean; status: { message?: string } } }).response;
}

/** Lets real time pass until a function returns something, because sockets do not follow the virtual clock. */
async function until<T>(world: Managed, get: () => T | undefined): Promise<T> {
  await expect
    .poll(async () => {
      await world.settle();
      return get();
    })
    .toBeTruthy();
  return get() as T; // polled above
}

async function started(world: Managed, options: Partial<ManagerOptions>): Promise<void> {
  await world.run([watched], { webhookServer: local, health: { port: 0, host: "127.0.0.1" }, ...options });
  await until(world, () => portOf(world, "webhooks") || undefined);
}

async function readiness(world: Managed): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${portOf(world, "health")}/readyz?verbose`);
  return answer.text();
}

test("webhooks are served before the caches have synced, and are one of the readiness checks", async () => {
  await using world = await Managed.start();
  const listed = deferred<void>();
  const client = world.cluster.client.through((transport) => ({
    ...transport,
    async open(request) {
      if (request.path.includes("configmaps")) await listed.promise;
      return transport.open(request);
    },
  }));
  await started(world, { client, webhooks: [webhook(ConfigMap, { validate() {} })] });
  expect(await review(world)).toMatchObject({ allowed: true });
  expect(await readiness(world)).toContain("[+]webhooks ok");
  listed.resolve();
  expect(await world.end()).toBe("over");
});

test("handlers read declared kinds from the cache, and standbys serve too", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  await client.create(ConfigMap, { metadata: { name: "rules" }, data: { max: "1" } });
  const other = world.manager([], { leaderElection: { name: "operator", identity: "leader" } });
  const leader = new AbortController();
  const over = other.run({ signal: leader.signal });
  await world.settle();
  const gets: string[] = [];
  const counting = client.through((transport) => ({
    ...transport,
    send(sent) {
      if (sent.method === "GET") gets.push(sent.path);
      return transport.send(sent);
    },
  }));
  const admission = webhook(ConfigMap, {
    async validate({ client: reader }) {
      const rules = await reader.get(ConfigMap, "rules");
      throw new Denied(`at most ${rules?.data?.max}`);
    },
  });
  await started(world, {
    client: counting,
    webhooks: [admission],
    leaderElection: { name: "operator", identity: "standby" },
  });
  await until(world, () => world.messages("info").includes("caches synced") || undefined);
  gets.length = 0;
  expect(await review(world)).toMatchObject({ allowed: false, status: { message: "at most 1" } });
  expect(gets.filter((path) => path.includes("configmaps"))).toEqual([]);
  leader.abort(new Error("received SIGTERM"));
  await over;
});

test("handlers read the cache, also by an index that a controller declares", async () => {
  await using world = await Managed.start();
  const { client } = world.cluster;
  const byHost = index(ConfigMap, ({ data }) => (data?.host === undefined ? [] : [data.host]));
  const sites = controller({ name: "sites", for: ConfigMap, indexes: [byHost], reconcile: async () => {} });
  await client.create(ConfigMap, { metadata: { name: "first" }, data: { host: "example.dev" } });
  const admission = webhook(ConfigMap, {
    validate({ cache }) {
      const taken = cache.by(byHost, "example.dev").map(({ metadata }) => metadata.name);
      throw new Denied(`the host belongs to ${taken}`);
    },
  });
  await world.run([sites], { webhookServer: local, webhooks: [admission] });
  await until(world, () => world.messages("info").includes("caches synced") || undefined);
  const status = { message: "the host belongs to first" };
  expect(await review(world, "second")).toMatchObject({ allowed: false, status });
  expect(await world.end()).toBe("over");
});

test("a review in flight ends before the manager does", async () => {
  await using world = await Managed.start();
  const begun = deferred<void>();
  const finish = deferred<void>();
  const admission = webhook(ConfigMap, {
    async validate({ warn }) {
      begun.resolve();
      await finish.promise;
      warn("just in time");
    },
  });
  await started(world, { webhooks: [admission] });
  const answer = review(world);
  await begun.promise;
  const ended = world.end();
  await world.settle();
  finish.resolve();
  expect(await answer).toMatchObject({ allowed: true, warnings: ["just in time"] });
  expect(await ended).toBe("over");
});

test("managed certificates and registration are set up before the caches sync", async () => {
  await using world = await Managed.start();
  const webhookServer = { host: "127.0.0.1", port: 0, service: { name: "site" } };
  await started(world, { webhooks: [webhook(ConfigMap, { validate() {} })], webhookServer });
  const { client } = world.cluster;
  const registered = async (): Promise<unknown> =>
    (await client.get(ValidatingWebhookConfiguration, "site.default"))?.webhooks?.[0]?.clientConfig;
  await expect.poll(registered).toBeTruthy();
  const secret = await client.get(Secret, "site-webhook-certificates");
  expect(await registered()).toEqual({
    service: { name: "site", namespace: "default", port: 443, path: "/validate--v1-configmap" },
    caBundle: secret?.data?.["ca.crt"],
  });
  expect(await world.end()).toBe("over");
  expect(world.clock.timers).toBe(0);
});

test("options without an address are an error before anything starts", async () => {
  await using world = await Managed.start();
  await world.run([watched], { webhooks: [webhook(ConfigMap, { validate() {} })] });
  expect(await world.over).toMatch(
    /^expected webhookServer.service or webhookServer.url, got neither; in a cluster,/,
  );
});

test("missing permissions of the webhook server are reported with their rules", async () => {
  await using world = await Managed.start();
  const client = withPermissions(world.cluster.client, ({ verb }) => verb === "list" || verb === "watch");
  const webhookServer = { service: { name: "site", namespace: "kube-system" } };
  await world.run([watched], { client, webhooks: [webhook(ConfigMap, { validate() {} })], webhookServer });
  const lines = String(await world.over)
    .split("\n")
    .filter((line) => line.startsWith("- expected"));
  expect(lines).toEqual([
    "- expected admin to have permission to get, create, update secrets in namespace kube-system " +
      "(the webhook server keeps its certificates in it), got none; a Role of namespace kube-system that is bound to it needs this rule:",
    "- expected admin to have permission to get, create, patch validatingwebhookconfigurations.admissionregistration.k8s.io " +
      "in the whole cluster (the webhook server registers webhooks in it), got none; a ClusterRole that is bound to it needs this rule:",
  ]);
});

test("a controller of a kind that the program converts does not gate readiness", async () => {
  await using world = await Managed.start();
  const client = world.cluster.client.through((transport) => ({
    ...transport,
    open: (sent) => (sent.path.includes("configmaps") ? new Promise<never>(() => {}) : transport.open(sent)),
  }));
  const { group, version: storageVersion, kind } = ConfigMap;
  const convertible: ConvertibleKind = {
    conversion: { group, kind, storageVersion, convert: (object) => object },
    toCustomResourceDefinition: () => ({ metadata: { name: "configmaps.core" } }),
  };
  await started(world, { client, webhooks: [convertible] });
  await expect.poll(() => readiness(world)).toContain("[+]caches ok");
});
