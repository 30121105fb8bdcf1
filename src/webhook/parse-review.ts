import type { Unstructured } from "../api/index.ts";
import type { UserInfo } from "../api/types/authentication/v1.ts";
import type {
  AdmissionRequest,
  GroupVersionKind,
  GroupVersionResource,
  Operation,
} from "./admission-review.ts";
import { ReviewError } from "./review-error.ts";

/** A review that was sent by an API server. */
export interface ParsedReview<R> {
  /** The version of the response: that of the review, or v1 if the review has none. */
  readonly apiVersion: string;
  readonly request: R;
}

/**
 * Parses an AdmissionReview of v1 or v1beta1. Fields that are not checked stay as they were sent.
 *
 * @throws {ReviewError} 400, with the field that is not as expected
 */
export function parseAdmissionReview(text: string): ParsedReview<AdmissionRequest> {
  const { apiVersion, request } = parseReview(text, { group: "admission.k8s.io", kind: "AdmissionReview" });
  const kind = names(request, "kind", ["group", "version", "kind"]);
  const resource = names(request, "resource", ["group", "version", "resource"]);
  const checked: AdmissionRequest = {
    ...(request as unknown as AdmissionRequest), // the fields that are not checked
    uid: uidOf(request),
    kind: kind as unknown as GroupVersionKind, // `names` has checked its fields
    resource: resource as unknown as GroupVersionResource, // `names` has checked its fields
    operation: operationOf(request),
    userInfo: (objectIn(request, "userInfo") as UserInfo | undefined) ?? {}, // its fields are not checked
    object: objectIn(request, "object"),
    oldObject: objectIn(request, "oldObject"),
  };
  return { apiVersion, request: checked };
}

export interface ReviewType {
  readonly group: string;
  readonly kind: string;
}

/** Parses a review of any kind up to its request. */
export function parseReview(text: string, type: ReviewType): ParsedReview<Readonly<Record<string, unknown>>> {
  const review = parseJson(text, type);
  const apiVersion = versionOf(review, type);
  const { request } = review;
  if (!isRecord(request)) throw expected(`${type.kind} with a request`, request);
  return { apiVersion, request };
}

/** Returns the uid of a request, which the response must repeat. */
export function uidOf({ uid }: Readonly<Record<string, unknown>>): string {
  if (typeof uid === "string" && uid !== "") return uid;
  throw expected("text in request.uid", uid);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a `ReviewError` for a bad value. Only the type of objects and lists is shown. */
export function expected(what: string, value: unknown): ReviewError {
  return new ReviewError(400, `expected ${article(what)} ${what}, got ${shown(value)}`);
}

function article(what: string): string {
  return /^[aeiou]/i.test(what) ? "an" : "a";
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return JSON.stringify(value).slice(0, 100);
}

function parseJson(text: string, { kind }: ReviewType): Readonly<Record<string, unknown>> {
  if (text === "") throw new ReviewError(400, `expected an ${kind} in JSON, got an empty body`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError; // JSON.parse throws nothing else
    throw new ReviewError(400, `expected ${article(kind)} ${kind} in JSON, got ${message}`, { cause: error });
  }
  if (!isRecord(parsed)) throw expected(`${kind} in JSON`, parsed);
  return parsed;
}

/** Returns the version of a review. A review without apiVersion and kind counts as v1, as in controller-runtime. */
function versionOf(
  review: Readonly<Record<string, unknown>>,
  { group, kind: reviewKind }: ReviewType,
): string {
  const { apiVersion, kind } = review;
  if (apiVersion === undefined && kind === undefined) return `${group}/v1`;
  if (kind !== reviewKind) throw expected(reviewKind, kind);
  if (apiVersion === `${group}/v1` || apiVersion === `${group}/v1beta1`) return apiVersion;
  throw new ReviewError(
    400,
    `expected ${article(reviewKind)} ${reviewKind} of ${group}/v1 or v1beta1, got ${shown(apiVersion)}; ` +
      'set its review versions to ["v1"]',
  );
}

function operationOf({ operation }: Readonly<Record<string, unknown>>): Operation {
  const known = operations.find((each) => each === operation);
  if (known) return known;
  throw new ReviewError(
    400,
    `expected ${operations.join(", ")} in request.operation, got ${shown(operation)}`,
  );
}

const operations: readonly Operation[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

/** Returns an object of the request, or `undefined` if it is absent. Go servers send `null` for an absent object. */
function objectIn(request: Readonly<Record<string, unknown>>, field: string): Unstructured | undefined {
  const value = request[field] ?? undefined;
  if (value === undefined) return undefined;
  if (isRecord(value)) return value as Unstructured; // an object whose fields are unknown
  throw expected(`JSON object in request.${field}`, value);
}

/** Returns an object of the request whose fields are texts, such as the kind. */
function names(
  request: Readonly<Record<string, unknown>>,
  field: string,
  parts: readonly string[],
): Readonly<Record<string, unknown>> {
  const value = request[field];
  if (!isRecord(value)) throw expected(`JSON object in request.${field}`, value);
  for (const part of parts) {
    if (typeof value[part] !== "string") throw expected(`text in request.${field}.${part}`, value[part]);
  }
  return value;
}
