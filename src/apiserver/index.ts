/**
 * A Kubernetes API server in this process: what a controller and kubectl need, with the answers of a real one.
 *
 * It promises what the conformance suite holds it to, beside a real kube-apiserver. It is no server for production,
 * and keeps nothing beyond its storage. It imports no client code: each checks the other.
 *
 * @module
 */
export { type ApiServer, type ApiServerOptions, createApiServer } from "./api-server.ts";
export {
  type Authenticator,
  administrator,
  anonymous,
  type ClientCertificate,
  type Credentials,
} from "./authentication.ts";
export type {
  CutResponse,
  Handler,
  ServerRequest,
  ServerResponse,
  Sink,
  StreamResponse,
  UserInfo,
  WholeResponse,
} from "./exchange.ts";
export {
  type FaultMatch,
  type FaultOptions,
  type FaultRule,
  type RefusalCode,
  type RequestFault,
  type RequestFaultRule,
  type WatchFault,
  type WatchFaultRule,
  type WhichRequests,
  withFaults,
} from "./faults/index.ts";
export { type Front, type FrontOptions, type FrontTls, listen } from "./http-front.ts";
export { joinedHeaders } from "./joined-headers.ts";
export { type Access, type Credential, kubeconfigText } from "./kubeconfig.ts";
export { MemoryStorage, type MemoryStorageOptions } from "./memory-storage.ts";
export { readTarget, type Target } from "./request-target.ts";
export { bodyBytes, bodyChunks, type ResponseBody } from "./response-body.ts";
export { listenSecurely, type SecureFront, type SecureFrontOptions } from "./secure-front.ts";
export {
  type Change,
  CompactedError,
  maxStoredBytes,
  type Removed,
  StaleError,
  type Storage,
  type StorageListOptions,
  type StorageWrite,
  type Stored,
  type StoredPage,
  TooLargeError,
} from "./storage.ts";
