import type { AnyKind, Kind } from "../api/index.ts";
import type { Clock, Logger } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { OtherCluster } from "../controller/index.ts";

/** Something that has to be in the cluster, and allowed, before a start makes sense. */
export interface Need {
  readonly kind: AnyKind;
  /** What is done with its objects: "list", "watch", "create", "update", "patch", "delete". */
  readonly verbs: readonly string[];
  /** It is done with this part of them: "status". @default with the objects */
  readonly subresource?: string | undefined;
  /** It is done with the one object of this name: a right to that one is enough. @default with any */
  readonly name?: string | undefined;
  /** Where, for kinds that have namespaces. @default everywhere */
  readonly namespaces?: readonly string[] | undefined;
  /** Where it has to be. @default in the manager's own */
  readonly cluster?: OtherCluster | undefined;
  /** The work goes on without: that it is missing is told, and is no reason not to start. @default false */
  readonly optional?: boolean | undefined;
  /**
   * The kind that is written instead where `kind` may not be created. The need is met if the same verbs are allowed for it.
   * @default none
   */
  readonly fallback?: Kind | undefined;
  /** Who needs it, for the message: "controller website watches it". */
  readonly why: string;
}

/** A need whose kind is known with its place on a server. */
export interface KnownNeed extends Need {
  readonly kind: Kind;
}

/** Those who look whether needs are met, and how. */
export interface Looking {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly clock: Clock;
  /** Whether kinds that are missing are a problem. */
  readonly missingKinds: "fail" | "wait";
}

/** The namespaces it names: none where it is about all, or about a kind that has none. */
export function namespacesOf({ kind, namespaces = [] }: KnownNeed): readonly string[] {
  return kind.namespaced ? namespaces : [];
}
