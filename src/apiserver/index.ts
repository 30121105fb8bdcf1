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
} from "./auth/authentication.ts";
export { type KubeconfigOptions, kubeconfigText, type UserCredential } from "./auth/kubeconfig.ts";
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
export { type HttpListener, type ListenOptions, type ListenTls, listen } from "./http/listen.ts";
export { listenSecurely, type SecureListener, type SecureListenOptions } from "./http/listen-securely.ts";
export { parseRequestTarget, type RequestTarget } from "./http/request-target.ts";
export { MemoryStorage, type MemoryStorageOptions } from "./storage/memory-storage.ts";
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
} from "./storage/storage.ts";
export type {
  BufferedServerResponse,
  CutResponse,
  Handler,
  ServerRequest,
  ServerResponse,
  Sink,
  StreamingServerResponse,
  UserInfo,
} from "./types/exchange.ts";
export { joinedHeaders } from "./types/joined-headers.ts";
export { bodyBytes, bodyChunks, type ResponseBody } from "./types/response-body.ts";
