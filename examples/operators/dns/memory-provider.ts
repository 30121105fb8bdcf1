import type { DnsProvider, Entry } from "./dns.ts";

/** A provider in memory that can fail. */
export class MemoryProvider implements DnsProvider {
  readonly entries = new Map<string, Entry>();
  /** Called first by every method. Throws while the provider fails. */
  fail: () => void = () => {};

  async find(hostname: string): Promise<Entry | undefined> {
    this.fail();
    return this.entries.get(hostname);
  }

  async save(hostname: string, entry: Entry): Promise<void> {
    this.fail();
    this.entries.set(hostname, entry);
  }

  async remove(hostname: string): Promise<void> {
    this.fail();
    this.entries.delete(hostname);
  }
}
