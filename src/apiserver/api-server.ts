import { type Clock, type Rng, realClock, realRng } from "../base/index.ts";
import { type Authenticator, administrator, authenticator } from "./authentication.ts";
import { bootstrap, servicePrefix } from "./bootstrap.ts";
import { builtinResources } from "./builtin-resources.ts";
import { serveCustomResources } from "./crd/index.ts";
import type { Engine } from "./engine.ts";
import type { Handler, ServerRequest, ServerResponse, UserInfo } from "./exchange.ts";
import { handle } from "./handle.ts";
import { MemoryStorage } from "./memory-storage.ts";
import { ResourceRegistry } from "./resource-registry.ts";
import { ServiceAccountTokens } from "./service-account-tokens.ts";
import { ServicePools } from "./service-pools.ts";
import type { Storage } from "./storage.ts";
import { WatchHub } from "./watch-hub.ts";
import type { WatchLogOptions } from "./watch-log.ts";

export interface ApiServerOptions {
  /** @default the machine's */
  readonly clock?: Clock | undefined;
  /** @default the platform's */
  readonly rng?: Rng | undefined;
  /** Closed with the server. @default in memory */
  readonly storage?: Storage | undefined;
  /** How much of the past watches may begin in. */
  readonly history?: WatchLogOptions | undefined;
  /** Who is known by which bearer token. Service accounts' tokens count besides. @default none */
  readonly users?: ReadonlyMap<string, UserInfo> | undefined;
  /** As whom those act who show nothing: `anonymous`, or nobody. @default the administrator without `users`, else nobody */
  readonly guest?: UserInfo | undefined;
}

/** A Kubernetes API server without sockets: fronts hand it requests. */
export interface ApiServer extends Handler {
  /** Who may be whom here: what a front asks before it hands a request over. */
  readonly authenticator: Authenticator;
  handle(request: ServerRequest): Promise<ServerResponse>;
  readonly registry: ResourceRegistry;
  readonly storage: Storage;
  /** Forgets the past: continue tokens and watches that begin before now expire, as after a compaction of etcd. */
  forgetHistory(): void;
  /** Ends all watches and lets go of the storage. */
  close(): void;
}

/** Serves the built-in kinds of the pinned release, and whatever is added to its registry. */
export function createApiServer(options: ApiServerOptions = {}): ApiServer {
  const { clock = realClock, rng = realRng, storage = new MemoryStorage(), history } = options;
  const registry = new ResourceRegistry();
  const watches = new WatchHub(storage, clock, history);
  const tokens = new ServiceAccountTokens();
  const services = new ServicePools(storage, servicePrefix, rng);
  const users = options.users ?? new Map<string, UserInfo>();
  const engine: Engine = { storage, registry, watches, clock, rng, tokens, services, users };
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
      watches.forget();
    },
    close() {
      customKinds[Symbol.dispose]();
      services[Symbol.dispose]();
      watches.close();
      storage.close();
    },
  };
}
