import type { Status, StatusCause, StatusDetails } from "../api/index.ts";
import { type ApiRequest, type ApiResponse, headerOf, type Method } from "./transport.ts";

/** What the server said. `reason` is Kubernetes' own word for it: "NotFound", "Conflict", "Invalid". */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly code: number;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  /** How long the server asks to wait before another try. */
  readonly retryAfterMs: number | undefined;
  /** The request it answers. */
  readonly request: Pick<ApiRequest, "method" | "path"> | undefined;

  constructor(message: string, fields: ApiErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = fields.code;
    this.reason = fields.reason;
    this.details = fields.details;
    this.retryAfterMs = fields.retryAfterMs;
    this.request = fields.request && { method: fields.request.method, path: fields.request.path };
  }
}

export interface ApiErrorFields {
  readonly code: number;
  readonly reason: string;
  readonly details?: StatusDetails | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly request?: Pick<ApiRequest, "method" | "path"> | undefined;
  readonly cause?: unknown;
}

/** The error an answer stands for: its `Status` where it has one, else the start of what it says. */
export function apiErrorFrom(request: ApiRequest, response: ApiResponse): ApiError {
  const { code, reason, details, message } = statusIn(request, response) ?? wordless(request, response);
  const text = `expected success of ${request.method} ${request.path}, got ${code} ${reason}${message ? `: ${message}` : ""}`;
  return new ApiError(text, {
    code,
    reason,
    details,
    request,
    retryAfterMs: retryAfterOf(response, details),
  });
}

/** The error an `ERROR` event of a watch stands for. */
export function apiErrorFromStatus(status: Status, request: ApiRequest): ApiError {
  const { code = 500, details, message, reason = reasonFor(code, request.method) } = readable(status);
  const text = `expected events from ${request.method} ${request.path}, got ${code} ${reason}${message ? `: ${message}` : ""}`;
  return new ApiError(text, {
    code,
    reason,
    details,
    request,
    retryAfterMs: secondsToMs(details?.retryAfterSeconds),
  });
}

/** The body of a success, parsed. An answer that is not JSON is no Kubernetes API server's. */
export function parseBody<T>(request: ApiRequest, response: ApiResponse): T {
  try {
    return JSON.parse(response.body.toString()) as T; // the server's word is taken for the type
  } catch (cause) {
    const type = headerOf(response.headers, "content-type") ?? "no content type";
    const text =
      `expected JSON from ${request.method} ${request.path}, got ${response.status} with ${type}, ` +
      `${response.body.length} bytes: ${startOf(response.body)}; is that address a Kubernetes API server?`;
    throw new ApiError(text, { code: response.status, reason: "InvalidResponse", request, cause });
  }
}

/** `Retry-After` in whole seconds, as milliseconds: at most five minutes. Its date form is ignored, as client-go does. */
export function retryAfterHeaderMs(response: Pick<ApiResponse, "headers">): number | undefined {
  const value = headerOf(response.headers, "retry-after");
  return value !== undefined && /^\d+$/.test(value)
    ? Math.min(Number(value) * 1000, maxRetryAfterMs)
    : undefined;
}

/** No server makes its clients wait longer than this before they try again. */
const maxRetryAfterMs = 5 * 60_000;

export const isNotFound: Predicate = has(["NotFound"], 404);
export const isAlreadyExists: Predicate = has(["AlreadyExists"]);
/** The object changed since it was read, or another field manager owns what was applied. */
export const isConflict: Predicate = has(["Conflict"], 409);
export const isInvalid: Predicate = has(["Invalid"], 422);
export const isForbidden: Predicate = has(["Forbidden"], 403);
export const isUnauthorized: Predicate = has(["Unauthorized"], 401);
/** The resourceVersion asked for is no longer kept: list again. */
export const isExpired: Predicate = has(["Expired", "Gone"], 410);
export const isTooManyRequests: Predicate = has(["TooManyRequests"], 429);
export const isServerTimeout: Predicate = has(["ServerTimeout", "Timeout"], 504);
export const isServiceUnavailable: Predicate = has(["ServiceUnavailable"], 503);
/** The server knows no such kind or verb. */
export const isMethodNotAllowed: Predicate = has(["MethodNotAllowed"], 405);

type Predicate = (error: unknown) => error is ApiError;

/** As in client-go: the reason decides; one that Kubernetes does not know, as webhooks give, leaves it to the code. */
function has(reasons: readonly string[], code?: number): Predicate {
  return (error): error is ApiError =>
    error instanceof ApiError &&
    (reasons.includes(error.reason) || (error.code === code && !knownReasons.has(error.reason)));
}

interface Words {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: StatusDetails | undefined;
}

function statusIn(request: ApiRequest, response: ApiResponse): Words | undefined {
  if (response.body[0] !== 0x7b) return undefined; // no "{"
  try {
    const status: unknown = JSON.parse(response.body.toString());
    if (!isRecord(status) || status.kind !== "Status") return undefined;
    const { code = response.status, message = "", details, reason } = readable(status);
    return { code, reason: reason ?? reasonFor(code, request.method), message, details };
  } catch {
    return undefined; // broken JSON is described as the text it is
  }
}

function wordless({ method }: ApiRequest, { status: code, body }: ApiResponse): Words {
  return { code, reason: reasonFor(code, method), message: body.length === 0 ? "" : startOf(body) };
}

/** The start of a body, short enough for a message. */
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

/** The fields of a `Status` that have the types that they are documented to have. Others are left out, as are empty ones. */
function readable(status: object): { readonly [Field in keyof Words]?: Words[Field] | undefined } {
  const { code, reason, message, details } = status as Readonly<Record<string, unknown>>; // whatever a server sent
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

/** Of HTTP. */
function isCode(value: unknown): value is number {
  return typeof value === "number" && value >= 100 && value <= 999;
}

function isPositive(value: unknown): value is number {
  return typeof value === "number" && value > 0;
}

function textOr(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Kubernetes' reason for a bare HTTP status, as its own generic errors have them. */
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

/** Those above, and the ones that share a code with another. */
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
