import type { KubeObject } from "../../api/index.ts";
import type { TokenRequest } from "../../api/types/authentication/v1.ts";
import type { Pod } from "../../api/types/core/v1.ts";
import { timestamp, uuid } from "../../base/index.ts";
import { type FieldError, invalid } from "../../schema/index.ts";
import { defaultAudience, type TokenClaims } from "../auth/service-account-tokens.ts";
import { storedObject } from "../codec/object-text.ts";
import { storageKey } from "../storage/storage-key.ts";
import { badRequest, conflict, invalidObject, notFound } from "../types/status-error.ts";
import type { Call, Engine } from "./engine.ts";
import { find } from "./get.ts";
import { sentObject } from "./sent-object.ts";
import type { ValueResult } from "./verb-result.ts";

/** Handles POST of a service account's token. */
export async function requestToken(engine: Engine, call: Call): Promise<ValueResult> {
  const { object, validate } = await sentObject<TokenRequest>(engine, call);
  const account = storedObject(call.resource, find(engine, call));
  const request = withDefaults(object);
  check(call, request);
  await validate();
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
  return { type: "value", code: 201, value: { ...request, metadata, status } };
}

const hour = 3600;

type Filled = TokenRequest & { spec: { audiences: string[]; expirationSeconds: number } };

function withDefaults(object: TokenRequest): Filled {
  // Absent fields may be null in the request.
  const { audiences, expirationSeconds, boundObjectRef } = { ...object.spec };
  const spec = {
    audiences: audiences?.length ? audiences : [defaultAudience],
    expirationSeconds: expirationSeconds ?? hour,
    boundObjectRef: boundObjectRef ?? null,
  };
  return { ...object, spec } as unknown as Filled;
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

/** Returns the object that the token is bound to. */
function boundObject(engine: Engine, call: Call, { spec }: Filled): KubeObject | undefined {
  const { kind = "", apiVersion = "", name = "", uid } = spec.boundObjectRef ?? {};
  if (!spec.boundObjectRef) return undefined;
  const resource = engine.registry.list().find((one) => one.group === "" && one.kind === kind);
  if (apiVersion !== "v1" || !resource || !bindable.has(kind)) {
    const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
    throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  }
  const place = { name, ...(resource.namespaced && { namespace: call.namespace }) };
  const stored = engine.storage.get(storageKey(resource, place));
  if (!stored) throw notFound(resource, name);
  const object = storedObject(resource, stored);
  checkBound(call, object, uid);
  return object;
}

const bindable: ReadonlySet<string> = new Set(["Pod", "Secret", "Node"]);

function checkBound(call: Call, object: KubeObject, uid: string | undefined): void {
  const { kind, metadata } = object;
  if (kind === "Pod" && (object as Pod).spec.serviceAccountName !== call.name) {
    throw badRequest(
      `cannot bind token for serviceaccount "${call.name}" to pod running with different serviceaccount name.`,
    );
  }
  if (uid && uid !== metadata.uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw conflict({ group: "", plural: kind }, metadata.name, why);
  }
}

interface Binding {
  readonly request: Filled;
  readonly bound: KubeObject | undefined;
}

function claimsOf(engine: Engine, { metadata }: KubeObject, { request, bound }: Binding): TokenClaims {
  const { name, namespace = "", uid } = metadata;
  const now = Math.floor(engine.clock.now() / 1000);
  const { audiences, expirationSeconds } = request.spec;
  return {
    aud: audiences,
    exp: now + expirationSeconds,
    iat: now,
    iss: defaultAudience,
    jti: uuid(engine.rng),
    "kubernetes.io": { namespace, ...boundClaims(engine, bound), serviceaccount: { name, uid } },
    nbf: now,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
}

type BoundClaims = Pick<TokenClaims["kubernetes.io"], "node" | "pod" | "secret">;

function boundClaims(engine: Engine, bound: KubeObject | undefined): BoundClaims {
  if (!bound) return {};
  const { name, uid } = bound.metadata;
  const { nodeName } = (bound as Pod).spec ?? {};
  const node = bound.kind === "Pod" && nodeName ? { node: nodeClaim(engine, nodeName) } : {};
  return { ...node, [bound.kind.toLowerCase()]: { name, uid } };
}

/** Returns the claim of a Pod's node. The Node object may not exist. */
function nodeClaim({ registry, storage }: Engine, name: string): { name: string; uid?: string } {
  const nodes = registry.get({ group: "", version: "v1", plural: "nodes" });
  const stored = nodes && storage.get(storageKey(nodes, { name }));
  return { name, ...(nodes && stored && { uid: storedObject(nodes, stored).metadata.uid }) };
}
