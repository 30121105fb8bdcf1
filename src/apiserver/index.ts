/**
 * A Kubernetes API server in this process: what a controller and kubectl need, with the answers of a real one.
 *
 * It promises what the conformance suite holds it to, beside a real kube-apiserver. It is no server for production,
 * and keeps nothing beyond its storage. It imports no client code: each checks the other.
 *
 * @module
 */
export { type ApiServer, type ApiServerOptions, createApiServer } from "./api-server.ts";
export { type Authenticator, administrator, anybody, type Credentials, known } from "./authentication.ts";
export type {
  Handler,
  ServerRequest,
  ServerResponse,
  Sink,
  StreamResponse,
  UserInfo,
  WholeResponse,
} from "./exchange.ts";
export { type Front, type FrontOptions, type FrontTls, listen } from "./http-front.ts";
export { MemoryStorage, type MemoryStorageOptions } from "./memory-storage.ts";
export { Registry, type RegistryChange, type ResourceName } from "./registry.ts";
export type {
  Allocator,
  Codec,
  Decoded,
  GenerationRule,
  NameRule,
  Resource,
  ServedSubresource,
  Strategy,
  WriteContext,
} from "./resource.ts";
export { StatusError } from "./status-error.ts";
export {
  type Change,
  CompactedError,
  type Removed,
  StaleError,
  type Storage,
  type StorageListOptions,
  type StorageWrite,
  type Stored,
  type StoredPage,
} from "./storage.ts";
