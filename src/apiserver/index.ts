/**
 * A Kubernetes API server in this process, for controllers and kubectl, that responds like kube-apiserver.
 *
 * The conformance suite checks it against kube-apiserver. It is not for production, and keeps all state in its
 * `Storage`. It does not import client code, so that each can be tested with the other.
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
  BufferedServerResponse,
  CutResponse,
  Handler,
  ServerRequest,
  ServerResponse,
  Sink,
  StreamingServerResponse,
  UserInfo,
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
export { joinedHeaders } from "./joined-headers.ts";
export { type KubeconfigOptions, kubeconfigText, type UserCredential } from "./kubeconfig.ts";
export { type HttpListener, type ListenOptions, type ListenTls, listen } from "./listen.ts";
export { listenSecurely, type SecureListener, type SecureListenOptions } from "./listen-securely.ts";
export { MemoryStorage, type MemoryStorageOptions } from "./memory-storage.ts";
export { parseRequestTarget, type RequestTarget } from "./request-target.ts";
export { bodyBytes, bodyChunks, type ResponseBody } from "./response-body.ts";
export {
  CompactedError,
  maxStoredBytes,
  type RemovedEntry,
  StaleError,
  type Storage,
  type StorageChange,
  type StorageListOptions,
  type StorageWrite,
  type StoredEntry,
  type StoredPage,
  TooLargeError,
} from "./storage.ts";
