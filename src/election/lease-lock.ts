import { Lease } from "../api/types/coordination/v1.ts";
import type { Client } from "../client/index.ts";
import { type ElectionRecord, recordOf, specOf } from "./election-record.ts";

export interface LeasePlace {
  readonly name: string;
  readonly namespace: string;
  /** Labels to set on the Lease, in addition to existing ones. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/**
 * One Lease, read and written as a record.
 *
 * An update replaces only the version that was last read or written here: of two concurrent updates one fails with a
 * conflict. Other fields of the Lease are kept.
 */
export class LeaseLock {
  readonly #client: Client;
  readonly #place: LeasePlace;
  #lease: Lease | undefined;

  constructor(client: Client, place: LeasePlace) {
    this.#client = client;
    this.#place = place;
  }

  /** The Lease as last read or written. */
  get lease(): Lease | undefined {
    return this.#lease;
  }

  async get(signal: AbortSignal): Promise<ElectionRecord | undefined> {
    const { name, namespace } = this.#place;
    this.#lease = await this.#client.get(Lease, { name, namespace }, { signal });
    return this.#lease && recordOf(this.#lease.spec);
  }

  async create(record: ElectionRecord, signal: AbortSignal): Promise<void> {
    const { name, namespace, labels } = this.#place;
    const metadata = labels ? { name, namespace, labels: { ...labels } } : { name, namespace };
    this.#lease = await this.#client.create(Lease, { metadata, spec: specOf(record) }, { signal });
  }

  async update(record: ElectionRecord, signal: AbortSignal): Promise<void> {
    if (!this.#lease) throw new Error("LeaseLock.update() needs a get() or create() first");
    const { labels } = this.#place;
    const { metadata, spec } = this.#lease;
    const object: Lease = {
      ...this.#lease,
      metadata: labels ? { ...metadata, labels: { ...metadata.labels, ...labels } } : metadata,
      spec: { ...spec, ...specOf(record) },
    };
    this.#lease = await this.#client.update(Lease, object, { signal });
  }
}
