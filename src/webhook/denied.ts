import type { StatusCause } from "../api/index.ts";
import type { AdmissionStatus } from "./admission-review.ts";

/** A problem with one field of an object. */
export interface FieldProblem {
  /** The path of the field: `spec.containers[0].image`. @default the whole object */
  readonly field?: string | undefined;
  readonly message: string;
  /** The machine-readable reason, such as "FieldValueRequired". @default "FieldValueInvalid" */
  readonly reason?: string | undefined;
}

export interface DeniedOptions extends ErrorOptions {
  /** The path of the field that the message is about. Only with a single message. @default the whole object */
  readonly field?: string | undefined;
  /** The HTTP status code of the refused request, from 400 to 599. @default 403 */
  readonly code?: number | undefined;
  /** The machine-readable reason of the refused request. @default the one of the code: "Forbidden" */
  readonly reason?: string | undefined;
}

/**
 * Thrown by a handler to refuse the request. The API server shows the message after the name of the webhook.
 *
 * ```ts
 * throw new Denied("is immutable", { field: "spec.domain" });
 * throw new Denied([
 *   { field: "spec.image", message: "must have a digest" },
 *   { field: "spec.replicas", message: "must be odd" },
 * ], { code: 422 });
 * ```
 */
export class Denied extends Error {
  override readonly name: string = "Denied";
  readonly code: number;
  readonly reason: string;
  /** One cause for each problem with a field. */
  readonly causes: readonly StatusCause[];

  constructor(problems: string | readonly FieldProblem[], options: DeniedOptions = {}) {
    const { field, code = 403, reason = reasons[code] ?? "" } = options;
    const list: readonly FieldProblem[] =
      typeof problems === "string" ? [{ message: problems, field }] : problems;
    super(messageOf(list), options);
    if (!Number.isInteger(code) || code < 400 || code > 599) {
      throw new RangeError(`expected the code of Denied to be from 400 to 599, got ${code}`);
    }
    this.code = code;
    this.reason = reason;
    this.causes = list.flatMap(causeOf);
  }

  /** Returns the `Status` of the refused request. */
  toStatus(): AdmissionStatus {
    const { code, reason, message, causes } = this;
    return {
      metadata: {},
      status: "Failure",
      message,
      ...(reason && { reason }),
      ...(causes.length > 0 && { details: { causes: [...causes] } }),
      code,
    };
  }
}

/** The reasons that Kubernetes gives with these codes. */
const reasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  413: "RequestEntityTooLarge",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

/** Joins several problems as Kubernetes does: `[spec.a: is required, spec.b: is immutable]`. */
function messageOf(problems: readonly FieldProblem[]): string {
  const texts = problems.map(({ field, message }) => (field ? `${field}: ${message}` : message));
  return texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`;
}

function causeOf({ field, message, reason = "FieldValueInvalid" }: FieldProblem): StatusCause[] {
  return field ? [{ reason, message, field }] : [];
}
