import type { Status } from "../../api/index.ts";
import { goQuoted, writeJson } from "../../schema/index.ts";
import type { UserInfo } from "../types/exchange.ts";
import { WebhookCallError } from "../webhooks/call-error.ts";
import type { AdmissionAttributes } from "./attributes.ts";
import { decodeGo } from "./go-types.ts";
import type { Invocation } from "./invocation.ts";
import { responseType } from "./response-type.ts";

export type ReviewVersion = "v1" | "v1beta1";

/** Returns the first known version of reviews that a webhook accepts. */
export function reviewVersion(versions: readonly string[]): ReviewVersion | undefined {
  return versions.find((one): one is ReviewVersion => one === "v1" || one === "v1beta1");
}

export interface ReviewRequest {
  readonly uid: string;
  readonly version: ReviewVersion;
  readonly invocation: Invocation;
  /** The write, with its objects in the version of the invocation. */
  readonly attributes: AdmissionAttributes;
}

/** Returns the AdmissionReview for a webhook as JSON, with its fields in the order of kube-apiserver. */
export function reviewText({ uid, version, invocation, attributes }: ReviewRequest): string {
  const { subresource, name, namespace, operation, user, object, oldObject, dryRun, options } = attributes;
  const request = {
    uid,
    kind: invocation.kind,
    resource: resourceName(invocation),
    ...(subresource !== "" && { subResource: subresource }),
    requestKind: attributes.kind,
    requestResource: resourceName(attributes),
    ...(subresource !== "" && { requestSubResource: subresource }),
    ...(name !== "" && { name }),
    ...(namespace !== "" && { namespace }),
    operation,
    userInfo: userInfo(user),
    object: object ?? null,
    oldObject: oldObject ?? null,
    dryRun,
    options: options ?? null,
  };
  return writeJson({ kind: "AdmissionReview", apiVersion: `admission.k8s.io/${version}`, request });
}

function resourceName({ resource }: Pick<Invocation, "resource">): object {
  return { group: resource.group, version: resource.version, resource: resource.plural };
}

function userInfo({ username, uid, groups, extra }: UserInfo): object {
  return {
    ...(username && { username }),
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  };
}

/** The answer of a webhook. */
export interface ReviewResponse {
  readonly allowed: boolean;
  /** The JSON patch as text. Empty without a patch. */
  readonly patch: string;
  readonly patchType: string;
  readonly result?: Partial<Status> | undefined;
  readonly warnings: readonly string[];
}

/** A response with the types of its fields checked, and their values not. */
export interface RawReview {
  readonly kind: string;
  readonly apiVersion: string;
  readonly response?: RawResponse | undefined;
}

interface RawResponse {
  readonly uid?: string | undefined;
  readonly allowed?: boolean | undefined;
  /** In base64. */
  readonly patch?: string | undefined;
  readonly patchType?: string | undefined;
  readonly status?: Partial<Status> | undefined;
  readonly warnings?: readonly string[] | undefined;
}

/** Checks the types of a response. Throws a `WebhookCallError` with the message of kube-apiserver for a wrong one. */
export function rawReview(value: unknown): RawReview {
  const { kind = "", apiVersion = "", response } = (value ?? {}) as Partial<RawReview>;
  if (response === undefined || response === null) return { kind, apiVersion };
  const field = { struct: "AdmissionReview", path: "response" };
  const decoded = decodeGo(response, responseType, field) as RawResponse; // the type has these fields
  const at = decoded.patch === undefined ? -1 : illegalBase64(decoded.patch);
  if (at >= 0) throw new WebhookCallError(`illegal base64 data at input byte ${at}`);
  return { kind, apiVersion, response: decoded };
}

/** Returns the position of the first character that is not base64, or -1. */
function illegalBase64(text: string): number {
  const at = text.search(/[^A-Za-z0-9+/=\r\n]/);
  if (at >= 0) return at;
  return text.replaceAll(/[\r\n]/g, "").length % 4 === 0 ? -1 : text.length - (text.length % 4);
}

export interface ResponseContext {
  readonly uid: string;
  readonly version: ReviewVersion;
  readonly mutating: boolean;
}

/** Reads the response of a webhook. Throws a `WebhookCallError` with the message of kube-apiserver if it is invalid. */
export function readResponse(
  { kind, apiVersion, response }: RawReview,
  context: ResponseContext,
): ReviewResponse {
  if (!response) throw new WebhookCallError("webhook response was absent");
  if (context.version === "v1") {
    checkUid(response, context);
    checkKind(apiVersion, kind);
    checkPatch(response, context);
  }
  const { allowed = false, patch = "", patchType = "", status, warnings = [] } = response;
  return {
    allowed,
    patch: context.mutating ? Buffer.from(patch, "base64").toString() : "",
    patchType: context.version === "v1" ? patchType : "JSONPatch",
    result: status,
    warnings,
  };
}

function checkUid({ uid }: RawResponse, { uid: expected }: ResponseContext): void {
  if (uid === expected) return;
  throw new WebhookCallError(`expected response.uid=${goQuoted(expected)}, got ${goQuoted(uid ?? "")}`);
}

function checkKind(apiVersion: string, kind: string): void {
  const expected = "admission.k8s.io/v1, Kind=AdmissionReview";
  const got = `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
  if (got !== expected) throw new WebhookCallError(`expected webhook response of ${expected}, got ${got}`);
}

/** Checks that a mutating webhook returns a patch with its type, and a validating one neither. */
function checkPatch({ patch, patchType }: RawResponse, { mutating }: ResponseContext): void {
  const [hasPatch, hasType] = [(patch ?? "") !== "", patchType !== undefined];
  const problem = mutating
    ? mutatingProblem(hasPatch, hasType, patchType)
    : validatingProblem(hasPatch, hasType);
  if (problem !== undefined) throw new WebhookCallError(problem);
}

function mutatingProblem(hasPatch: boolean, hasType: boolean, patchType: unknown): string | undefined {
  if (hasPatch && !hasType) return "webhook returned response.patch but not response.patchType";
  if (!hasPatch && hasType) return "webhook returned response.patchType but not response.patch";
  return patchType === "" ? 'webhook returned invalid response.patchType of ""' : undefined;
}

function validatingProblem(hasPatch: boolean, hasType: boolean): string | undefined {
  if (hasPatch) return "validating webhook may not return response.patch";
  return hasType ? "validating webhook may not return response.patchType" : undefined;
}
