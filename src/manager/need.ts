import type { AnyKind, Kind } from "../api/index.ts";
import type { Clock, Logger } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { OtherCluster } from "../controller/index.ts";

/** A kind that must be served, and permissions for it, before a controller starts. */
export interface Need {
  readonly kind: AnyKind;
  /** Verbs that are needed: "list", "watch", "create", "update", "patch", "delete". */
  readonly verbs: readonly string[];
  /** The subresource, such as "status". @default the objects themselves */
  readonly subresource?: string | undefined;
  /** The only object that is accessed: a permission for this name is enough. @default all objects */
  readonly name?: string | undefined;
  /** Namespaces of a namespaced kind. @default all namespaces */
  readonly namespaces?: readonly string[] | undefined;
  /** The cluster. @default the manager's cluster */
  readonly cluster?: OtherCluster | undefined;
  /** True if the manager starts without it and only logs a warning. @default false */
  readonly optional?: boolean | undefined;
  /**
   * The kind that is written instead if `kind` may not be created. The need is met if the same verbs are allowed for
   * it.
   * @default none
   */
  readonly fallback?: Kind | undefined;
  /** The reason, for the message: "controller website watches it". */
  readonly why: string;
}

/** A need whose kind has a known resource name. */
export interface KnownNeed extends Need {
  readonly kind: Kind;
}

/** Dependencies of the startup checks. */
export interface PreflightContext {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
  /** "fail" if missing kinds are a problem. */
  readonly missingKinds: "fail" | "wait";
}

/** Returns the namespaces of a need; empty for all namespaces and for cluster-scoped kinds. */
export function namespacesOf({ kind, namespaces = [] }: KnownNeed): readonly string[] {
  return kind.namespaced ? namespaces : [];
}
