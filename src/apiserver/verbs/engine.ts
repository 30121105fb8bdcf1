import type { Clock, Rng } from "../../base/index.ts";
import type { Admission } from "../admission/admission.ts";
import type { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import type { OutputFormat } from "../codec/negotiation.ts";
import type { ServicePools } from "../storage/service-pools.ts";
import type { Storage } from "../storage/storage.ts";
import type { AuthenticatedRequest, UserInfo } from "../types/exchange.ts";
import type { Resource, ServedSubresource } from "../types/resource.ts";
import type { ResourceRegistry } from "../types/resource-registry.ts";
import type { Warnings } from "../types/warnings.ts";
import type { WatchHub } from "../watch/watch-hub.ts";
import type { WebhookClient } from "../webhooks/webhook-client.ts";

/** The state of the server that outlives a request. */
export interface Engine {
  readonly storage: Storage;
  readonly registry: ResourceRegistry;
  readonly watches: WatchHub;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly services: ServicePools;
  readonly tokens: ServiceAccountTokens;
  /** Calls webhooks. */
  readonly webhookClient: WebhookClient;
  /** The webhooks that admit writes. */
  readonly admission: Admission;
  /** Users by bearer token. */
  readonly users: ReadonlyMap<string, UserInfo>;
}

/** A request whose resource has been found. */
export interface Call {
  readonly request: AuthenticatedRequest;
  readonly resource: Resource;
  /** Absent for cluster-scoped kinds and for requests to all namespaces. */
  readonly namespace: string | undefined;
  /** Empty if the request names no object. */
  readonly name: string;
  readonly subresource: ServedSubresource | undefined;
  readonly format: OutputFormat;
  readonly warnings: Warnings;
  /** The time by the monotonic clock at which a write has to end. */
  readonly endsAtMs: number;
}
