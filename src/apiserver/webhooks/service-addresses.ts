import type { Service } from "../../api/types/core/v1.ts";
import { parseStored } from "../codec/document.ts";
import type { Storage } from "../storage/storage.ts";
import { WebhookCallError } from "./call-error.ts";
import type { ServiceReference } from "./client-config.ts";

export interface Address {
  readonly host: string;
  readonly port: string;
}

/**
 * Resolves the Services of webhooks to addresses. No Service has a network here, so each needs an address in the
 * mapping: `"namespace/name"` or `"namespace/name:port"` to `"host:port"`.
 */
export class ServiceAddresses {
  readonly #storage: Storage;
  readonly #mapping: ReadonlyMap<string, string>;

  constructor(storage: Storage, mapping: ReadonlyMap<string, string> = new Map()) {
    this.#storage = storage;
    this.#mapping = mapping;
  }

  /** Throws a `WebhookCallError` for a Service that cannot be reached, with the message of kube-apiserver. */
  resolve({ namespace, name, port }: ServiceReference): Address {
    const mapped =
      this.#mapping.get(`${namespace}/${name}:${port}`) ?? this.#mapping.get(`${namespace}/${name}`);
    if (mapped !== undefined) return addressOf(mapped);
    throw new WebhookCallError(this.#unreachable({ namespace, name, port }));
  }

  #unreachable({ namespace, name, port }: ServiceReference): string {
    const stored = this.#storage.get(`/registry/services/specs/${namespace}/${name}`);
    if (!stored) return `service "${name}" not found`;
    const { spec } = parseStored(stored.json) as Service;
    if (!spec?.ports?.some((one) => one.port === port))
      return `no service port ${port} found for service "${name}"`;
    return `dial tcp ${spec.clusterIP}:${port}: connect: no route to host`;
  }
}

function addressOf(text: string): Address {
  const at = text.lastIndexOf(":");
  return { host: text.slice(0, at), port: text.slice(at + 1) };
}
