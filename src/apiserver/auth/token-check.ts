import type { KubeObject } from "../../api/index.ts";
import { type Clock, timestamp } from "../../base/index.ts";
import { storedObject } from "../codec/object-text.ts";
import type { Storage } from "../storage/storage.ts";
import { storageKey } from "../storage/storage-key.ts";
import type { UserInfo } from "../types/exchange.ts";
import type { ResourceRegistry } from "../types/resource-registry.ts";
import {
  type BoundObject,
  defaultAudience,
  type ServiceAccountTokens,
  type TokenClaims,
} from "./service-account-tokens.ts";

/** The state of the server that tokens are checked against. */
export interface TokenContext {
  readonly storage: Storage;
  readonly registry: ResourceRegistry;
  readonly clock: Clock;
  readonly tokens: ServiceAccountTokens;
  /** Users by bearer token. */
  readonly users: ReadonlyMap<string, UserInfo>;
}

/** The user and audiences of a bearer token, or the error if it is not valid. */
export type TokenCheck =
  | { readonly type: "authenticated"; readonly user: UserInfo; readonly audiences: readonly string[] }
  | { readonly type: "refused"; readonly error: string };

/**
 * Checks a token of a user or service account. It must be valid for one of `audiences`, by default the server itself.
 */
export function checkToken(
  engine: TokenContext,
  token: string,
  audiences: readonly string[] = [],
): TokenCheck {
  const targetAudiences = audiences.length > 0 ? audiences : [defaultAudience];
  const user = engine.users.get(token);
  if (user)
    return targetAudiences.includes(defaultAudience) ? authenticated(user, [defaultAudience]) : refused();
  const read = engine.tokens.read(token);
  if (read.type === "foreign") return refused();
  if (read.type === "forged") return refused("go-jose/go-jose: error in cryptographic primitive");
  return checkClaims(engine, read.claims, targetAudiences);
}

function authenticated(user: UserInfo, audiences: readonly string[]): TokenCheck {
  return { type: "authenticated", user, audiences };
}

function refused(why?: string): TokenCheck {
  const invalid = "invalid bearer token";
  return { type: "refused", error: why === undefined ? invalid : `[${invalid}, ${why}]` };
}

function checkClaims(
  engine: TokenContext,
  claims: TokenClaims,
  targetAudiences: readonly string[],
): TokenCheck {
  const targets = new Set(targetAudiences);
  const common = claims.aud.filter((one) => targets.has(one));
  if (common.length === 0) {
    return refused(
      `token audiences ${listed(claims.aud)} is invalid for the target audiences ${listed(targetAudiences)}`,
    );
  }
  const why = timeProblem(engine, claims) ?? accountProblem(engine, claims) ?? boundProblem(engine, claims);
  return why === undefined ? authenticated(userOf(claims), common) : refused(why);
}

/** Formats a list of strings like Go. */
function listed(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(" ")}]`;
}

function timeProblem({ clock }: TokenContext, { exp, nbf }: TokenClaims): string | undefined {
  const now = clock.now() / 1000;
  if (exp <= now) return "service account token has expired";
  return now < nbf ? "service account token is not valid yet" : undefined;
}

function accountProblem(
  engine: TokenContext,
  { "kubernetes.io": { namespace, serviceaccount } }: TokenClaims,
): string | undefined {
  const account = coreObject(engine, "serviceaccounts", { namespace, name: serviceaccount.name });
  if (!account) return `serviceaccounts "${serviceaccount.name}" not found`;
  const { uid } = account.metadata;
  if (isInvalidated(engine, account)) return invalidated;
  return uid === serviceaccount.uid
    ? undefined
    : `service account UID (${uid}) does not match claim (${serviceaccount.uid})`;
}

/** Checks the object that the token is bound to, besides its account. */
function boundProblem(engine: TokenContext, { "kubernetes.io": claims }: TokenClaims): string | undefined {
  const { namespace, pod, secret, node } = claims;
  if (secret) return objectProblem(engine, { noun: "secret", place: { namespace }, bound: secret });
  if (pod) return objectProblem(engine, { noun: "pod", place: { namespace }, bound: pod });
  const { name, uid } = node ?? {};
  return name && uid ? objectProblem(engine, { noun: "node", place: {}, bound: { name, uid } }) : undefined;
}

interface Bound {
  readonly noun: "secret" | "pod" | "node";
  readonly place: { readonly namespace?: string | undefined };
  readonly bound: BoundObject;
}

function objectProblem(engine: TokenContext, { noun, place, bound }: Bound): string | undefined {
  const object = coreObject(engine, `${noun}s`, { ...place, name: bound.name });
  if (!object || isInvalidated(engine, object)) return invalidated;
  const { uid } = object.metadata;
  return uid === bound.uid
    ? undefined
    : `${noun} UID (${uid}) does not match service account ${noun} ref claim (${bound.uid})`;
}

const invalidated = "service account token has been invalidated";

/**
 * Returns true if the object has been terminating for more than a minute. Until then its token can be used for a clean
 * shutdown.
 */
function isInvalidated({ clock }: TokenContext, { metadata }: KubeObject): boolean {
  const { deletionTimestamp } = metadata;
  return deletionTimestamp !== undefined && deletionTimestamp < timestamp(clock.now() - 60_000);
}

function coreObject(
  { registry, storage }: TokenContext,
  plural: string,
  place: { readonly namespace?: string | undefined; readonly name: string },
): KubeObject | undefined {
  const resource = registry.get({ group: "", version: "v1", plural });
  const stored = resource && storage.get(storageKey(resource, place));
  return resource && stored && storedObject(resource, stored);
}

function userOf({
  sub,
  jti,
  "kubernetes.io": { namespace, serviceaccount, pod, node },
}: TokenClaims): UserInfo {
  const extra: Record<string, string[]> = {
    "credential-id": [`JTI=${jti}`],
    ...(node?.name && { "node-name": [node.name] }),
    ...(node?.uid && { "node-uid": [node.uid] }),
    ...(pod && { "pod-name": [pod.name], "pod-uid": [pod.uid] }),
  };
  return {
    username: sub,
    uid: serviceaccount.uid,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
    extra: Object.fromEntries(
      Object.entries(extra).map(([key, values]) => [`authentication.kubernetes.io/${key}`, values]),
    ),
  };
}
