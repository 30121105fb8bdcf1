import { inspect } from "node:util";
import type { ClusterConfig, Identity, Impersonation } from "./cluster-config.ts";
import { withoutPassword } from "./server-url.ts";

/** Returns `config` in a form that hides the proxy's password when it is logged. The identity hides its own secrets. */
export function printableConfig(config: ClusterConfig): ClusterConfig {
  return new PrintableConfig(config);
}

class PrintableConfig implements ClusterConfig {
  readonly server: string;
  readonly namespace: string;
  readonly identity: Identity;
  readonly impersonate: Impersonation | undefined;
  readonly proxyUrl: string | undefined;
  readonly proxyOrigin: string | undefined;
  readonly disableCompression: boolean | undefined;
  readonly origin: string;

  constructor(config: ClusterConfig) {
    this.server = config.server;
    this.namespace = config.namespace;
    this.identity = config.identity;
    this.impersonate = config.impersonate;
    this.proxyUrl = config.proxyUrl;
    this.proxyOrigin = config.proxyOrigin;
    this.disableCompression = config.disableCompression;
    this.origin = config.origin;
  }

  toJSON(): object {
    return { ...this, proxyUrl: this.proxyUrl && withoutPassword(this.proxyUrl) };
  }

  [inspect.custom](): object {
    return this.toJSON();
  }
}
