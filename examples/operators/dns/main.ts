// Runs the operator of DnsRecords until Ctrl-C, with a provider in memory.
import { isTrue } from "trimtab/api";
import { managed, type Part, perform } from "../../perform.ts";
import { until } from "../../until.ts";
import { DnsRecord, dnsRecords } from "./dns.ts";
import { MemoryProvider } from "./memory-provider.ts";

const provider = new MemoryProvider();

async function tour(guide: Part): Promise<void> {
  const { client, say } = guide;
  const hostname = "www.example.dev";
  say(`> create a DnsRecord of ${hostname}`);
  await client.create(DnsRecord, { metadata: { name: "www" }, spec: { hostname, address: "192.0.2.1" } });
  const holds = ({ status }: DnsRecord): boolean => isTrue(status?.conditions, "Ready");
  await until(guide, DnsRecord, { name: "www", holds });
  say(`  the provider has the address ${provider.entries.get(hostname)?.address}`);
}

const kubectl = [
  "kubectl get dnsrecords",
  `kubectl patch dnsrecord www --type merge --patch '{"spec":{"address":"192.0.2.2"}}'`,
];
const run = managed([dnsRecords(provider)]);
await perform({ title: "An operator of DnsRecords", kinds: [DnsRecord], run, tour, kubectl });
