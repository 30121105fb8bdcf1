import { type Controller, controller, poll } from "trimtab";
import { type ObjectOf, ready } from "trimtab/api";
import { defineResource, immutable } from "trimtab/crd";
import { conditions } from "trimtab/zod";
import { z } from "zod";

export const DnsRecord = defineResource({
  group: "dns.example.dev",
  version: "v1",
  kind: "DnsRecord",
  spec: z.object({
    hostname: z.string().min(1).max(253).meta(immutable()),
    address: z.ipv4(),
    ttlSeconds: z.int32().min(30).default(300),
  }),
  status: z.object({ conditions: conditions() }),
  columns: [
    { name: "Hostname", path: ".spec.hostname", type: "string" },
    { name: "Address", path: ".spec.address", type: "string" },
    { name: "Ready", path: ".status.conditions[?(@.type=='Ready')].status", type: "string" },
  ],
});
export type DnsRecord = ObjectOf<typeof DnsRecord>;

export interface Entry {
  readonly address: string;
  readonly ttlSeconds: number;
}

/**
 * The API of a DNS provider. If the provider fails, its methods throw, and are retried with backoff; if it limits requests,
 * they throw a `RetryAfterError` with its delay.
 */
export interface DnsProvider {
  find(hostname: string, signal: AbortSignal): Promise<Entry | undefined>;
  save(hostname: string, entry: Entry, signal: AbortSignal): Promise<void>;
  remove(hostname: string, signal: AbortSignal): Promise<void>;
}

/** Keeps the entries of a provider as the DnsRecords specify them. Reverts changes by other programs within a minute. */
export function dnsRecords(provider: DnsProvider): Controller {
  return controller({
    for: DnsRecord,
    on: [poll({ everyMs: 60_000 })],
    timeoutMs: 10_000,
    concurrency: 4,
    finalizer: "dns.example.dev/entry",
    async reconcile(key, { client, events, signal }) {
      const record = await client.get(DnsRecord, key);
      if (!record) return;
      const { hostname, address, ttlSeconds } = record.spec;
      const found = await provider.find(hostname, signal);
      if (found?.address !== address || found.ttlSeconds !== ttlSeconds) {
        await provider.save(hostname, { address, ttlSeconds }, signal);
        events.normal(record, "Saved", `${hostname} is ${address}`);
      }
      await client.applyStatus(DnsRecord, record, {
        conditions: [ready(true, "Saved", `${hostname} is ${address}`)],
      });
    },
    // The finalizer keeps a DnsRecord until the provider has removed its entry.
    async cleanup({ spec }, { signal }) {
      await provider.remove(spec.hostname, signal);
    },
    async onError({ message }, key, { client }) {
      const record = await client.get(DnsRecord, key);
      if (record)
        await client.applyStatus(DnsRecord, record, {
          conditions: [ready(false, "ProviderFailed", message)],
        });
    },
  });
}
