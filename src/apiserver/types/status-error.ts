import type { Status, StatusCause, StatusDetails } from "../../api/index.ts";
import { errorText, type FieldError, goQuoted, invalidMessage, toCauses } from "../../schema/index.ts";

/** An error with the Status that the client receives. Handlers throw it anywhere. */
export class StatusError extends Error {
  override readonly name: string = "StatusError";
  readonly code: number;
  /** The reason in Kubernetes' terms. Empty if kube-apiserver has none. */
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  /** The token to continue with, if a list was truncated. */
  readonly continue: string | undefined;

  constructor(code: number, reason: string, { message, details, continue: token }: Refusal) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.continue = token;
  }

  /** Returns the Status with its fields in the order of kube-apiserver. */
  toStatus(): Status {
    const { code, reason, details } = this;
    return {
      kind: "Status",
      apiVersion: "v1",
      metadata: this.continue === undefined ? {} : { continue: this.continue },
      status: "Failure",
      message: this.message,
      ...(reason !== "" && { reason }),
      ...(details && { details }),
      code,
    };
  }
}

interface Refusal {
  readonly message: string;
  readonly details?: StatusDetails | undefined;
  readonly continue?: string | undefined;
}

/** The group and plural of a resource in errors. */
export interface NamedResource {
  readonly group: string;
  readonly plural: string;
}

/** The group and kind of an object in errors. */
export interface NamedKind {
  readonly group: string;
  readonly kind: string;
}

export function notFound(resource: NamedResource, name: string): StatusError {
  const message = `${qualified(resource)} ${goQuoted(name)} not found`;
  return new StatusError(404, "NotFound", { message, details: detailsOf(resource, name) });
}

/** Creates the error of an unknown resource, subresource or version in a known group. */
export function noSuchResource(): StatusError {
  const message = "the server could not find the requested resource";
  return new StatusError(404, "NotFound", { message, details: {} });
}

export function methodNotAllowed(): StatusError {
  const message = "the server does not allow this method on the requested resource";
  return new StatusError(405, "MethodNotAllowed", { message, details: {} });
}

/** Creates the error of a method that a custom kind does not support. */
export function verbNotSupported(resource: NamedResource, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind "${qualified(resource)}"`;
  return new StatusError(405, "MethodNotAllowed", { message, details: detailsOf(resource) });
}

export function alreadyExists(resource: NamedResource, name: string, prefix = ""): StatusError {
  const message = `${prefix}${qualified(resource)} "${name}" already exists`;
  return new StatusError(409, "AlreadyExists", { message, details: detailsOf(resource, name) });
}

/** Creates the error of a `generateName` for which no free name was found. */
export function namesExhausted(resource: NamedResource, name: string): StatusError {
  const message = `${qualified(resource)} "${name}" already exists, the server was not able to generate a unique name for the object`;
  const details = { ...detailsOf(resource, name), retryAfterSeconds: 1 };
  return new StatusError(409, "AlreadyExists", { message, details });
}

export function conflict(resource: NamedResource, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`;
  return new StatusError(409, "Conflict", { message, details: detailsOf(resource, name) });
}

/** Creates the conflict of an object that was changed since it was read. */
export function modified(resource: NamedResource, name: string): StatusError {
  return conflict(
    resource,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );
}

/** Creates the conflict of an apply with fields of other managers. */
export function applyConflict(message: string, causes: StatusCause[]): StatusError {
  return new StatusError(409, "Conflict", { message, details: { causes } });
}

/** Creates the error of an invalid object. */
export function invalidObject(kind: NamedKind, name: string, all: readonly FieldError[]): StatusError {
  const errors = withoutExcess(all);
  const message = invalidMessage({ ...kind, name }, errors);
  const details = { ...compact({ ...kind, name }), causes: toCauses(errors) };
  return new StatusError(422, "Invalid", { message, details });
}

/**
 * Returns the first errors of an object, up to about 250,000 characters. Many errors may print the same long value, so
 * the length of all of them may be quadratic.
 */
function withoutExcess(errors: readonly FieldError[]): readonly FieldError[] {
  let length = 0;
  const last = errors.findIndex((error) => {
    length += errorText(error).length;
    return length > maxCharacters;
  });
  return last < 0 ? errors : errors.slice(0, last + 1);
}

const maxCharacters = 2 ** 18;

/** Creates the error of a patch that does not fit the object. kube-apiserver gives no reason. */
export function patchRejected(): StatusError {
  const message = "the server rejected our request due to an error in our request";
  return new StatusError(422, "Invalid", { message, details: {} });
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, "BadRequest", { message });
}

export function tooLarge(message: string): StatusError {
  return new StatusError(413, "RequestEntityTooLarge", { message });
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return new StatusError(415, "UnsupportedMediaType", { message });
}

/** Creates the error of an unknown patch type of a built-in kind, whose router refuses it before the body is read. */
export function unknownPatchType(): StatusError {
  const message = "415: Unsupported Media Type";
  return new StatusError(415, "UnsupportedMediaType", { message, details: {} });
}

/** Creates the error of a media type that is served with other parameters only. */
export function notAcceptable(accepted: readonly string[]): StatusError {
  const message = `only the following media types are accepted: ${accepted.join(", ")}`;
  return new StatusError(406, "NotAcceptable", { message });
}

/** Creates the error of an object that cannot be transformed into the requested form. */
export function notConvertible(message: string): StatusError {
  return new StatusError(406, "NotAcceptable", { message });
}

/** Creates the error of a request whose media types are all unknown. */
export function nothingAcceptable(available: readonly string[]): StatusError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${available.join(", ")}`;
  return new StatusError(406, "NotAcceptable", { message, details: {} });
}

export function unauthorized(): StatusError {
  return new StatusError(401, "Unauthorized", { message: "Unauthorized" });
}

export function forbidden(
  resource: NamedResource,
  name: string,
  { why, causes }: { readonly why: string; readonly causes?: StatusCause[] | undefined },
): StatusError {
  const what = name === "" ? qualified(resource) : `${qualified(resource)} "${name}"`;
  const details = { ...detailsOf(resource, name), ...(causes && { causes }) };
  return new StatusError(403, "Forbidden", { message: `${what} is forbidden: ${why}`, details });
}

/** Creates the error of a revision that has been compacted. */
export function expired(message: string, token?: string): StatusError {
  return new StatusError(410, "Expired", { message, continue: token });
}

export function resourceVersionTooLarge(requested: string, current: number): StatusError {
  const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
  const message = `Timeout: Too large resource version: ${requested}, current: ${current}`;
  return new StatusError(504, "Timeout", { message, details: { causes, retryAfterSeconds: 1 } });
}

/** Creates the error of a request that does not end within its time. */
export function requestTimeout(): StatusError {
  const message = "Timeout: request did not complete within requested timeout - context deadline exceeded";
  return new StatusError(504, "Timeout", { message, details: {} });
}

export function tooManyRequests(message: string, details?: StatusDetails): StatusError {
  return new StatusError(429, "TooManyRequests", { message, details });
}

export function internal(message: string): StatusError {
  const details = { causes: [{ message }] };
  return new StatusError(500, "InternalError", { message: `Internal error occurred: ${message}`, details });
}

/** Creates an internal error without a reason, as kube-apiserver returns for unhandled errors. */
export function unknownError(message: string): StatusError {
  return new StatusError(500, "", { message });
}

/** Returns the resource as errors print it: `pods`, `deployments.apps`. */
export function qualified({ group, plural }: NamedResource): string {
  return group === "" ? plural : `${plural}.${group}`;
}

function detailsOf({ group, plural }: NamedResource, name = ""): StatusDetails {
  return compact({ name, group, kind: plural });
}

/** Omits empty fields. */
function compact({ name, group, kind }: { name: string; group: string; kind: string }): StatusDetails {
  return { ...(name !== "" && { name }), ...(group !== "" && { group }), ...(kind !== "" && { kind }) };
}
