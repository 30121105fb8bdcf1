import { type Clock, type Rng, realClock, realRng } from "../base/index.ts";
import { Admission } from "./admission/admission.ts";
import { type Authenticator, administrator, authenticator } from "./auth/authentication.ts";
import { ServiceAccountTokens } from "./auth/service-account-tokens.ts";
import { bootstrap, servicePrefix } from "./bootstrap.ts";
import { builtinResources } from "./builtin-resources.ts";
import { serveCustomResources } from "./crd/index.ts";
import { handle } from "./routing/handle.ts";
import { MemoryStorage } from "./storage/memory-storage.ts";
import { ServicePools } from "./storage/service-pools.ts";
import type { Storage } from "./storage/storage.ts";
import type { Handler, ServerRequest, ServerResponse, UserInfo } from "./types/exchange.ts";
import { ResourceRegistry } from "./types/resource-registry.ts";
import type { Engine } from "./verbs/engine.ts";
import { WatchHub } from "./watch/watch-hub.ts";
import type { WatchLogOptions } from "./watch/watch-log.ts";
import { ServiceAddresses } from "./webhooks/service-addresses.ts";
import { WebhookClient } from "./webhooks/webhook-client.ts";

export interface ApiServerOptions {
  /** @default the system clock */
  readonly clock?: Clock | undefined;
  /** @default the system's random numbers */
  readonly rng?: Rng | undefined;
  /** Storage of the objects. The server closes it. @default in memory */
  readonly storage?: Storage | undefined;
  /** Limits of the history from which watches can resume. */
  readonly history?: WatchLogOptions | undefined;
  /** Users by bearer token, in addition to the tokens of service accounts. @default none */
  readonly users?: ReadonlyMap<string, UserInfo> | undefined;
  /**
   * The user of requests without credentials, such as `anonymous`. If absent, they are refused. @default the
   * administrator without `users`, else none
   */
  readonly guest?: UserInfo | undefined;
  /**
   * The addresses of the Services of webhooks: `"namespace/name"` or `"namespace/name:port"` to `"host:port"`. Webhooks
   * of other Services cannot be called. @default none
   */
  readonly serviceAddresses?: ReadonlyMap<string, string> | undefined;
}

/** A Kubernetes API server without sockets. Listeners pass requests to it. */
export interface ApiServer extends Handler {
  /** Authenticates requests. A listener calls it before `handle`. */
  readonly authenticator: Authenticator;
  handle(request: ServerRequest): Promise<ServerResponse>;
  readonly registry: ResourceRegistry;
  readonly storage: Storage;
  /** Discards the history: continue tokens and watches that start before now expire, as after a compaction of etcd. */
  forgetHistory(): void;
  /** Ends all watches and closes the storage. */
  close(): void;
}

/** Creates a server of the built-in kinds of the pinned release. Further kinds can be added to its registry. */
export function createApiServer(options: ApiServerOptions = {}): ApiServer {
  const { clock = realClock, rng = realRng, storage = new MemoryStorage(), history } = options;
  const registry = new ResourceRegistry();
  const watches = new WatchHub(storage, clock, history);
  const tokens = new ServiceAccountTokens();
  const services = new ServicePools(storage, servicePrefix, rng);
  const users = options.users ?? new Map<string, UserInfo>();
  const webhookClient = new WebhookClient(clock, new ServiceAddresses(storage, options.serviceAddresses));
  const admission = new Admission({ storage, registry, client: webhookClient, clock, rng });
  const engine: Engine = {
    storage,
    registry,
    watches,
    clock,
    rng,
    tokens,
    services,
    users,
    admission,
    webhookClient,
  };
  for (const resource of builtinResources()) registry.add(resource);
  bootstrap(engine);
  storage.compact(storage.revision);
  watches.follow(registry);
  const customKinds = serveCustomResources(engine);
  return {
    registry,
    storage,
    authenticator: authenticator(engine, options.guest ?? (options.users ? undefined : administrator)),
    handle: (request) => handle(engine, request),
    forgetHistory() {
      storage.compact(storage.revision);
      watches.compact();
    },
    close() {
      customKinds[Symbol.dispose]();
      services[Symbol.dispose]();
      admission[Symbol.dispose]();
      webhookClient.close();
      watches.close();
      storage.close();
    },
  };
}
