import type { Status, StatusCause, StatusDetails } from "../api/index.ts";
import { type ApiRequest, type ApiResponse, headerOf, type Method } from "./transport.ts";

/** An error response of the API server. `reason` is the reason of its `Status`: "NotFound", "Conflict", "Invalid". */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  /** The delay that the server requests before a retry. */
  readonly retryAfterMs: number | undefined;
  /** The message of the server's `Status` alone, as other clients show it. */
  readonly statusMessage: string | undefined;
  /** The request that failed. */
  readonly request: Pick<ApiRequest, "method" | "path"> | undefined;

  constructor(message: string, fields: ApiErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.reason = fields.reason;
    this.details = fields.details;
    this.retryAfterMs = fields.retryAfterMs;
    this.statusMessage = fields.statusMessage;
    this.request = fields.request && { method: fields.request.method, path: fields.request.path };
  }
}

export interface ApiErrorFields {
  readonly code: number;
  readonly reason: string;
  readonly details?: StatusDetails | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly statusMessage?: string | undefined;
  readonly request?: Pick<ApiRequest, "method" | "path"> | undefined;
  readonly cause?: unknown;
}

/** Returns the error of a failed response, from its `Status` if it has one, else with the start of its body. */
export function apiErrorFrom(request: ApiRequest, response: ApiResponse): ApiError {
  const { code, reason, details, message } = statusIn(request, response) ?? statusFromCode(request, response);
  const text = `expected success of ${request.method} ${request.path}, got ${code} ${reason}${message ? `: ${message}` : ""}`;
  return new ApiError(text, {
    code,
    reason,
    details,
    request,
    retryAfterMs: retryAfterOf(response, details),
    statusMessage: message || undefined,
  });
}

/** Returns the error of a watch's `ERROR` event. */
export function apiErrorFromStatus(status: Status, request: ApiRequest): ApiError {
  const { code = 500, details, message, reason = reasonFor(code, request.method) } = readable(status);
  const text = `expected events from ${request.method} ${request.path}, got ${code} ${reason}${message ? `: ${message}` : ""}`;
  return new ApiError(text, {
    code,
    reason,
    details,
    request,
    retryAfterMs: secondsToMs(details?.retryAfterSeconds),
    statusMessage: message || undefined,
  });
}

/**
 * Parses the body of a successful response. Throws an `ApiError` if it is not JSON, because API servers send nothing
 * else.
 */
export function parseBody<T>(request: ApiRequest, response: ApiResponse): T {
  try {
    return JSON.parse(response.body.toString()) as T; // the type is not checked
  } catch (cause) {
    const type = headerOf(response.headers, "content-type") ?? "no content type";
    const text =
      `expected JSON from ${request.method} ${request.path}, got ${response.status} with ${type}, ` +
      `${response.body.length} bytes: ${startOf(response.body)}; is that address a Kubernetes API server?`;
    throw new ApiError(text, { code: response.status, reason: "InvalidResponse", request, cause });
  }
}

/**
 * Returns `Retry-After` in milliseconds, at most five minutes. The date form of the header is ignored, as in client-go.
 */
export function retryAfterHeaderMs(response: Pick<ApiResponse, "headers">): number | undefined {
  const value = headerOf(response.headers, "retry-after");
  return value !== undefined && /^\d+$/.test(value)
    ? Math.min(Number(value) * 1000, maxRetryAfterMs)
    : undefined;
}

/** Limit for the delay that a server can request. */
const maxRetryAfterMs = 5 * 60_000;

export const isNotFound: Predicate = has(["NotFound"], 404);
export const isAlreadyExists: Predicate = has(["AlreadyExists"]);
/** Returns true if the object has changed since it was read, or another field manager owns an applied field. */
export const isConflict: Predicate = has(["Conflict"], 409);
export const isInvalid: Predicate = has(["Invalid"], 422);
export const isForbidden: Predicate = has(["Forbidden"], 403);
export const isUnauthorized: Predicate = has(["Unauthorized"], 401);
/** Returns true if a create was refused because the namespace of the object is being deleted. */
export function isNamespaceTerminating(error: unknown): error is ApiError {
  return (
    isForbidden(error) &&
    (error.details?.causes ?? []).some(({ reason }) => reason === "NamespaceTerminating")
  );
}

/** Returns true if the server no longer has the requested resource version. The caller has to list again. */
export const isExpired: Predicate = has(["Expired", "Gone"], 410);
export const isTooManyRequests: Predicate = has(["TooManyRequests"], 429);
export const isServerTimeout: Predicate = has(["ServerTimeout", "Timeout"], 504);
export const isServiceUnavailable: Predicate = has(["ServiceUnavailable"], 503);
/** Returns true if the server does not support the verb for the kind. */
export const isMethodNotAllowed: Predicate = has(["MethodNotAllowed"], 405);

type Predicate = (error: unknown) => error is ApiError;

/** Matches an error by its reason, as client-go does. If the reason is unknown, as from a webhook, the code decides. */
function has(reasons: readonly string[], code?: number): Predicate {
  return (error): error is ApiError =>
    error instanceof ApiError &&
    (reasons.includes(error.reason) || (error.code === code && !knownReasons.has(error.reason)));
}

interface StatusFields {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: StatusDetails | undefined;
}

function statusIn(request: ApiRequest, response: ApiResponse): StatusFields | undefined {
  if (response.body[0] !== 0x7b) return undefined; // not "{"
  try {
    const status: unknown = JSON.parse(response.body.toString());
    if (!isRecord(status) || status.kind !== "Status") return undefined;
    const { code = response.status, message = "", details, reason } = readable(status);
    return { code, reason: reason ?? reasonFor(code, request.method), message, details };
  } catch {
    return undefined; // the caller shows invalid JSON as text
  }
}

function statusFromCode({ method }: ApiRequest, { status: code, body }: ApiResponse): StatusFields {
  return { code, reason: reasonFor(code, method), message: body.length === 0 ? "" : startOf(body) };
}

/** Returns the start of a body, short enough for a message. */
function startOf(body: Buffer): string {
  const text = body.subarray(0, 2048).toString().replace(/\s+/g, " ").trim();
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 300)}...` : text);
}

function retryAfterOf(response: ApiResponse, details: StatusDetails | undefined): number | undefined {
  return retryAfterHeaderMs(response) ?? secondsToMs(details?.retryAfterSeconds);
}

function secondsToMs(seconds: number | undefined): number | undefined {
  return seconds ? Math.min(seconds * 1000, maxRetryAfterMs) : undefined;
}

/** Returns the fields of a `Status` that are not empty and have their documented types. */
function readable(status: object): {
  readonly [Field in keyof StatusFields]?: StatusFields[Field] | undefined;
} {
  const { code, reason, message, details } = status as Readonly<Record<string, unknown>>; // checked below
  return {
    code: isCode(code) ? code : undefined,
    reason: textOr(reason),
    message: textOr(message),
    details: isRecord(details) ? readableDetails(details) : undefined,
  };
}

function readableDetails(details: Readonly<Record<string, unknown>>): StatusDetails {
  const { causes, retryAfterSeconds, ...rest } = details;
  const texts = Object.entries(rest).filter(([, value]) => typeof value === "string");
  return {
    ...Object.fromEntries(texts),
    ...(Array.isArray(causes) && { causes: causes.filter(isRecord).map(readableCause) }),
    ...(isPositive(retryAfterSeconds) && { retryAfterSeconds }),
  };
}

function readableCause(cause: Readonly<Record<string, unknown>>): StatusCause {
  return Object.fromEntries(Object.entries(cause).filter(([, value]) => typeof value === "string"));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Returns true for an HTTP status code. */
function isCode(value: unknown): value is number {
  return typeof value === "number" && value >= 100 && value <= 999;
}

function isPositive(value: unknown): value is number {
  return typeof value === "number" && value > 0;
}

function textOr(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The reasons that Kubernetes' generic errors have for each HTTP status. */
const reasonsByCode: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Gone",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** The reasons above, and those that share a status code with another reason. */
const knownReasons = new Set([
  ...Object.values(reasonsByCode),
  "AlreadyExists",
  "Expired",
  "InternalError",
  "ServerTimeout",
  "StoreReadError",
]);

function reasonFor(code: number, method: Method): string {
  if (code === 409 && method === "POST") return "AlreadyExists";
  return reasonsByCode[code] ?? (code >= 500 ? "InternalError" : "Unknown");
}
