import type { KubeObject } from "../../api/index.ts";
import type { UserInfo } from "../types/exchange.ts";
import type { Resource } from "../types/resource.ts";
import type { Warnings } from "../types/warnings.ts";

export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A write that webhooks admit: the fields of a request that they see, and that select them. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  readonly resource: Resource;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** The kind of the object, which differs from that of the resource for `scale`, `eviction` and the like. */
  readonly kind: GroupVersionKind;
  /** Empty if the server has yet to generate the name. */
  readonly name: string;
  /** Empty for cluster-scoped resources. The namespace of a Namespace is its name. */
  readonly namespace: string;
  /** The new object. Absent in a deletion. */
  readonly object?: KubeObject | undefined;
  /** The stored object. Absent in a creation. */
  readonly oldObject?: KubeObject | undefined;
  /** The CreateOptions, UpdateOptions or DeleteOptions. */
  readonly options?: object | undefined;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  readonly warnings: Warnings;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** The time by the monotonic clock at which the request has to end. */
  readonly endsAtMs: number;
}

/** Decodes a patched object of the request's kind: sets defaults, and drops unknown fields. */
export type DecodeObject = (value: unknown) => KubeObject;
