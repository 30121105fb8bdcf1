import type { KubeObject } from "../api/index.ts";
import type { TokenRequest } from "../api/types/authentication/v1.ts";
import { timestamp, uuid } from "../base/index.ts";
import { type FieldError, invalid } from "../schema/index.ts";
import type { PlainAnswer } from "./answer.ts";
import { sentObject } from "./body-kind.ts";
import { type Call, type Engine, storageKey } from "./engine.ts";
import { find } from "./get.ts";
import { storedObject } from "./object-text.ts";
import { defaultAudience, type TokenClaims } from "./service-account-tokens.ts";
import { invalidObject, notFound } from "./status-error.ts";

/** POST of a service account's token. */
export async function requestToken(engine: Engine, call: Call): Promise<PlainAnswer> {
  const { object } = await sentObject<TokenRequest>(engine, call);
  const account = storedObject(call.resource, find(engine, call));
  const request = withDefaults(object);
  check(call, request);
  const bound = boundObject(engine, call, request);
  const claims = claimsOf(engine, account, { request, bound });
  const { name, namespace, uid } = account.metadata;
  const metadata = {
    name,
    namespace,
    uid,
    creationTimestamp: timestamp(engine.clock.now()),
    managedFields: object.metadata.managedFields,
  };
  const status = { token: engine.tokens.sign(claims), expirationTimestamp: timestamp(claims.exp * 1000) };
  return { type: "plain", code: 201, value: { ...request, metadata, status } };
}

const hour = 3600;

type Filled = TokenRequest & { spec: { audiences: string[]; expirationSeconds: number } };

function withDefaults(object: TokenRequest): Filled {
  const { audiences = [], expirationSeconds = hour, boundObjectRef = null } = { ...object.spec };
  const filled = audiences.length > 0 ? audiences : [defaultAudience];
  // Absent is written as null here, unlike anywhere else.
  return { ...object, spec: { audiences: filled, expirationSeconds, boundObjectRef } } as unknown as Filled;
}

function check({ name }: Call, { metadata, spec }: Filled): void {
  if (metadata.name && metadata.name !== name) {
    const error = invalid("metadata.name", metadata.name, "must match the service account name if specified");
    throw invalidObject(tokenKind, name, [error]);
  }
  const errors = durationErrors(spec.expirationSeconds);
  if (errors.length > 0) throw invalidObject(tokenKind, "", errors);
}

const tokenKind = { group: "authentication.k8s.io", kind: "TokenRequest" };

function durationErrors(seconds: number): FieldError[] {
  const field = "spec.expirationSeconds";
  if (seconds < 600) return [invalid(field, seconds, "may not specify a duration less than 10 minutes")];
  return seconds > 2 ** 32
    ? [invalid(field, seconds, "may not specify a duration larger than 2^32 seconds")]
    : [];
}

/** What the token lives and dies with. */
function boundObject(
  { storage, registry }: Engine,
  { namespace }: Call,
  { spec }: Filled,
): KubeObject | undefined {
  const { kind, name } = spec.boundObjectRef ?? {};
  if (!kind || !name) return undefined;
  const resource = registry.list().find((one) => one.group === "" && one.kind === kind);
  if (!resource) return undefined;
  const place = { name, ...(resource.namespaced && { namespace }) };
  const stored = storage.get(storageKey(resource, place));
  if (!stored) throw notFound(resource, name);
  return storedObject(resource, stored);
}

interface Binding {
  readonly request: Filled;
  readonly bound: KubeObject | undefined;
}

function claimsOf(
  { clock, rng }: Engine,
  { metadata }: KubeObject,
  { request, bound }: Binding,
): TokenClaims {
  const { name, namespace = "", uid } = metadata;
  const now = Math.floor(clock.now() / 1000);
  const { audiences, expirationSeconds } = request.spec;
  return {
    aud: audiences,
    exp: now + expirationSeconds,
    iat: now,
    iss: defaultAudience,
    jti: uuid(rng),
    "kubernetes.io": { namespace, ...boundClaim(bound), serviceaccount: { name, uid } },
    nbf: now,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
}

function boundClaim(bound: KubeObject | undefined): object {
  if (!bound) return {};
  const { name, uid } = bound.metadata;
  return { [bound.kind.toLowerCase()]: { name, uid } };
}
