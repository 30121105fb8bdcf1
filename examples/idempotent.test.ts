import { type Controller, type LogEntry, loggerTo } from "trimtab";
import { Deployment, ReplicaSet } from "trimtab/api/apps/v1";
import type { Client } from "trimtab/client";
import { type CustomKind, expectIdempotent, startCluster } from "trimtab/testing";
import { expect, test } from "vitest";
import { greetings } from "./builtins/builtins.ts";
import { ChaosPod, chaosPods } from "./crd/chaos-pod.ts";
import { Foo, foos } from "./foo/foo.ts";
import { CronJob, cronJobs } from "./operators/cronjob/cronjob.ts";
import { DnsRecord, dnsRecords } from "./operators/dns/dns.ts";
import { MemoryProvider } from "./operators/dns/memory-provider.ts";
import { Memcached, memcacheds } from "./operators/memcached/memcached.ts";
import { reload, reloader } from "./operators/reloader/reloader.ts";
import { Tenant, tenants } from "./operators/tenant/tenant.ts";
import { replicaSets } from "./replicaset/replicaset.ts";
import { Website, websites } from "./website/website.ts";

interface Example {
  readonly controllers: readonly Controller[];
  readonly kinds?: readonly CustomKind[];
  readonly make: (client: Client) => Promise<unknown>;
}

const labels = { app: "web" };
const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1.29" }] } };
const webSet = {
  metadata: { name: "web" },
  spec: { replicas: 3, selector: { matchLabels: labels }, template },
};

const examples: Readonly<Record<string, Example>> = {
  builtins: { controllers: [greetings], make: (client) => client.create(ReplicaSet, webSet) },
  replicaset: { controllers: [replicaSets], make: (client) => client.create(ReplicaSet, webSet) },
  crd: {
    controllers: [chaosPods()],
    kinds: [ChaosPod],
    make: (client) =>
      client.create(ChaosPod, {
        metadata: { name: "monkey" },
        spec: { image: "nginx:1.29", everySeconds: 3600 },
      }),
  },
  foo: {
    controllers: [foos],
    kinds: [Foo],
    make: (client) =>
      client.create(Foo, { metadata: { name: "a" }, spec: { deploymentName: "web", replicas: 2 } }),
  },
  cronjob: {
    controllers: [cronJobs],
    kinds: [CronJob],
    make: (client) =>
      client.create(CronJob, {
        metadata: { name: "backup" },
        spec: { schedule: "* * * * *", jobTemplate: { spec: { template } } },
      }),
  },
  memcached: {
    controllers: [memcacheds],
    kinds: [Memcached],
    make: (client) => client.create(Memcached, { metadata: { name: "sessions" }, spec: { size: 2 } }),
  },
  dns: {
    controllers: [dnsRecords(new MemoryProvider())],
    kinds: [DnsRecord],
    make: (client) =>
      client.create(DnsRecord, {
        metadata: { name: "www" },
        spec: { hostname: "www.example.dev", address: "192.0.2.1" },
      }),
  },
  reloader: {
    controllers: [reloader],
    make: (client) =>
      client.create(Deployment, {
        metadata: { name: "web", annotations: { [reload]: "true" } },
        spec: { selector: { matchLabels: labels }, template },
      }),
  },
  tenant: {
    controllers: [tenants],
    kinds: [Tenant],
    make: (client) =>
      client.create(Tenant, {
        metadata: { name: "blue" },
        spec: { roles: { view: ["bob"] }, quota: { pods: 10 } },
      }),
  },
  website: {
    controllers: [websites],
    kinds: [Website],
    make: (client) =>
      client.create(Website, { metadata: { name: "docs" }, spec: { image: "nginx:1.29", replicas: 2 } }),
  },
};

test.each(Object.entries(examples))(
  "%s writes nothing once it has reconciled, and logs no warning",
  async (...[, { controllers, kinds = [], make }]) => {
    await using cluster = await startCluster({ kinds });
    const warnings: LogEntry[] = [];
    const log = loggerTo((entry) => {
      if (entry.level === "warn" || entry.level === "error") warnings.push(entry);
    });
    await make(cluster.client);
    await expectIdempotent(cluster, { controllers, log });
    expect(warnings).toEqual([]);
  },
);
