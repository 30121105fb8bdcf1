/**
 * A client for one API server that reads, writes and watches objects of any kind, typed by the kind.
 *
 * It guarantees that a missing object is `undefined` and every other failure is an error that names the request, that
 * lists are paged, that watches resume without a gap, and that invalid calls are refused before anything is sent. It
 * caches only the plural and scope of kinds that it resolved on the server.
 *
 * @module
 */
export {
  ApiError,
  type ApiRequest,
  type ApiResponse,
  type BodyReader,
  type ClusterConfig,
  ConfigError,
  ConnectionError,
  fromClientNode,
  type HttpTransportOptions,
  httpTransport,
  type Identity,
  type Impersonation,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isMethodNotAllowed,
  isNamespaceTerminating,
  isNotFound,
  isServerTimeout,
  isServiceUnavailable,
  isTooManyRequests,
  isUnauthorized,
  type LoadOptions,
  loadConfig,
  type MessageConnection,
  type MessageReceiver,
  type Method,
  type OpenResponse,
  type Receiver,
  type RequestAuth,
  type RequestHeaders,
  type ResponseHeaders,
  type TlsMaterial,
  type Transport,
  traced,
  type Upgrade,
  type UpgradeRequest,
} from "../transport/index.ts";
export type { AppliedStatus, Client, Reader, StatusOf, StatusPatch } from "./client.ts";
export type { Collection, CollectionOptions, Query } from "./collection.ts";
export { type ClientOptions, type ConnectOptions, clientFor, clientOver, connect } from "./connect.ts";
export {
  createOrPatch,
  createOrUpdate,
  type Mutable,
  type Mutated,
  type MutateOptions,
} from "./create-or-update.ts";
export { type Deletion, deletionOf, isTerminating } from "./deletion.ts";
export {
  type Discovery,
  resolveKind,
  type ServedKind,
  type ServerVersion,
  UnknownKindError,
} from "./discovery.ts";
export { checkFieldManager } from "./field-manager.ts";
export type {
  ApplyOptions,
  ApplyStatusOptions,
  CallOptions,
  CreateOptions,
  DeleteAllOptions,
  DeleteOptions,
  FieldManagerOptions,
  GetOptions,
  ListOptions,
  ListProgress,
  MigrateOptions,
  MigrateProgress,
  Migration,
  Page,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "./options.ts";
export type { Directives, JsonPatchStep, Merge, Patch, StrategicMerge } from "./patch.ts";
export type { LogOptions } from "./pod-logs.ts";
export type { AttachOptions, ExecOptions } from "./remote-command.ts";
export type { CommandOutput, ExitStatus, RemoteSession, TerminalSize } from "./remote-session.ts";
export { type RetryOnConflictOptions, retryOnConflict } from "./retry-on-conflict.ts";
export type {
  Subresource,
  SubresourceBody,
  SubresourceName,
  SubresourceOf,
  Subresources,
} from "./subresource.ts";
