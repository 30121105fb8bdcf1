import type { Kind, KubeObject, New, Unstructured } from "../api/index.ts";
import type { UserInfo } from "../api/types/authentication/v1.ts";
import { type Logger, silentLogger } from "../base/index.ts";
import type { Client } from "../client/index.ts";
import type { Cache } from "../controller/index.ts";
import type { AdmissionHook } from "./admission-hook.ts";
import type { AdmissionRequest, AdmissionResponse, AdmissionStatus, Operation } from "./admission-review.ts";
import { decide } from "./review-admission.ts";
import { RunningAdmission } from "./running-admission.ts";
import type { Webhook } from "./webhook.ts";

/** A request to review in a test. */
export interface ReviewInput<T extends KubeObject> {
  /** The new object. It is not changed. @default none, for a delete */
  readonly object?: New<T> | undefined;
  /** The existing object. @default none, for a create */
  readonly previous?: T | undefined;
  /** @default CREATE, UPDATE or DELETE, by which of the objects are given */
  readonly operation?: Operation | undefined;
  /** @default { username: "test", groups: ["system:authenticated"] } */
  readonly user?: UserInfo | undefined;
  /** @default false */
  readonly dryRun?: boolean | undefined;
  /** @default none: a handler that reads `client` fails */
  readonly client?: Client | undefined;
  /** @default none: a handler that reads `cache` fails */
  readonly cache?: Cache | undefined;
  /** @default writes nothing */
  readonly log?: Logger | undefined;
}

/** The result of a review. */
export interface ReviewResult<T extends KubeObject> {
  readonly allowed: boolean;
  /** The object with its defaults, as it would be stored. Patches that a raw webhook returns are not applied. */
  readonly object: T | undefined;
  /** The status that the API server shows, if the request is denied. */
  readonly status: AdmissionStatus | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/**
 * Calls the handlers of a webhook without a server, for tests: `default` first, then `validate` or `validateDelete`.
 *
 * ```ts
 * const { allowed, object, status } = await review(admission, { object: { metadata: { name: "docs" }, spec } });
 * ```
 */
export async function review<T extends KubeObject>(
  { kind, hooks }: Webhook<T>,
  input: ReviewInput<NoInfer<T>>,
): Promise<ReviewResult<T>> {
  let object = clone(input.object);
  const responses: AdmissionResponse[] = [];
  for (const hook of hooks) {
    const request = requestOf({ ...input, object }, hook, kind);
    const admission = new RunningAdmission(hook.name, request, { log: silentLogger, ...defined(input) });
    const before = clone(request.object);
    const response = await decide(hook, admission, () => before);
    responses.push(response);
    if (!response.allowed) break;
    object = clone(request.object as typeof object); // the handler has changed it
  }
  return resultOf<T>(responses, object);
}

function resultOf<T extends KubeObject>(
  responses: readonly AdmissionResponse[],
  object: object | undefined,
): ReviewResult<T> {
  const last = responses.at(-1);
  return {
    allowed: last?.allowed ?? true,
    object: object as T | undefined, // the object of the input, which has this type
    status: last?.allowed === false ? last.status : undefined,
    warnings: responses.flatMap(({ warnings = [] }) => warnings),
    auditAnnotations: Object.assign({}, ...responses.map(({ auditAnnotations }) => auditAnnotations)),
  };
}

function defined({ client, cache, log }: Pick<ReviewInput<KubeObject>, "client" | "cache" | "log">): {
  client?: Client;
  cache?: Cache;
  log?: Logger;
} {
  return { ...(client && { client }), ...(cache && { cache }), ...(log && { log }) };
}

function requestOf(
  input: ReviewInput<KubeObject>,
  { rules: [rule] }: AdmissionHook,
  kind: Kind | undefined,
): AdmissionRequest {
  const { previous, operation = operationOf(input), user = testUser, dryRun = false } = input;
  const [resource = "", subResource] = rule?.resources[0]?.split("/") ?? [];
  const { group = "", version = "", kind: name = "" } = kind ?? {};
  const object = withType(input.object, kind);
  const metadata = object?.metadata ?? previous?.metadata;
  return {
    uid: "00000000-0000-0000-0000-000000000000",
    kind: { group, version, kind: name },
    resource: { group, version, resource },
    ...(subResource && { subResource }),
    name: metadata?.name ?? "",
    namespace: metadata?.namespace ?? "",
    operation,
    userInfo: user,
    object,
    oldObject: clone(previous) as Unstructured | undefined, // an object of any kind
    dryRun,
  };
}

const testUser: UserInfo = { username: "test", groups: ["system:authenticated"] };

function operationOf({ object, previous }: ReviewInput<KubeObject>): Operation {
  if (!object) return "DELETE";
  return previous ? "UPDATE" : "CREATE";
}

/** Returns the object with apiVersion and kind, as an API server sends it. */
function withType(object: object | undefined, kind: Kind | undefined): Unstructured | undefined {
  if (!object) return undefined;
  const type = kind && {
    apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
    kind: kind.kind,
  };
  return { ...type, ...object } as Unstructured; // the input has metadata
}

function clone<V>(value: V): V {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as V);
}
