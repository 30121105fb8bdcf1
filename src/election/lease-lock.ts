import { Lease } from "../api/types/coordination/v1.ts";
import { type Client, ConfigError, isForbidden, isNotFound, isUnauthorized } from "../client/index.ts";
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

/** Returns the configuration error behind a failed attempt, with its fix, or `undefined` for other failures. */
export function setupProblem(error: unknown, lease: string): ConfigError | undefined {
  const namespace = lease.slice(0, lease.indexOf("/"));
  if (isForbidden(error)) {
    return new ConfigError(
      `expected permission to get, create and update lease ${lease}, got ${error.message}; ` +
        `a Role in namespace ${namespace} needs the rule ${rule}, and a RoleBinding to this program's user or service account`,
      { cause: error },
    );
  }
  if (isUnauthorized(error)) {
    return new ConfigError(
      `expected valid credentials for the API server of lease ${lease}, got ${error.message}`,
      {
        cause: error,
      },
    );
  }
  if (!isNotFound(error)) return undefined;
  return new ConfigError(
    `expected namespace ${namespace} for lease ${lease}, got ${error.message}; ` +
      `create it (kubectl create namespace ${namespace}), or name another`,
    { cause: error },
  );
}

const rule =
  '{ apiGroups: ["coordination.k8s.io"], resources: ["leases"], verbs: ["get", "create", "update"] }';
