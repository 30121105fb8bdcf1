import type { StatusCause } from "../../api/index.ts";
import { goJson, goNumber, goQuoted } from "./go-text.ts";

/** An error of one field, with the API server's wording. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** A path like `spec.containers[0].image` or `metadata.annotations[key]`. Empty for the whole object. */
  readonly field: string;
  /** The actual value. Absent if the message names no value. */
  readonly value?: unknown;
  /** The rule that was violated. Empty if the type is enough. */
  readonly detail: string;
}

export type FieldErrorType =
  | "required"
  | "invalid"
  | "typeInvalid"
  | "notSupported"
  | "duplicate"
  | "forbidden"
  | "notFound"
  | "tooLong"
  | "tooMany"
  | "internal";

interface ErrorTexts {
  /** The reason of a status cause. */
  readonly reason: string;
  /** The first words of the message. */
  readonly text: string;
}

const errorTexts: Readonly<Record<FieldErrorType, ErrorTexts>> = {
  required: { reason: "FieldValueRequired", text: "Required value" },
  invalid: { reason: "FieldValueInvalid", text: "Invalid value" },
  typeInvalid: { reason: "FieldValueTypeInvalid", text: "Invalid value" },
  notSupported: { reason: "FieldValueNotSupported", text: "Unsupported value" },
  duplicate: { reason: "FieldValueDuplicate", text: "Duplicate value" },
  forbidden: { reason: "FieldValueForbidden", text: "Forbidden" },
  notFound: { reason: "FieldValueNotFound", text: "Not found" },
  tooLong: { reason: "FieldValueTooLong", text: "Too long" },
  tooMany: { reason: "FieldValueTooMany", text: "Too many" },
  internal: { reason: "InternalError", text: "Internal error" },
};

export function required(field: string, detail = ""): FieldError {
  return { type: "required", field, detail };
}

export function invalid(field: string, value: unknown, detail: string): FieldError {
  return { type: "invalid", field, value, detail };
}

/**
 * Returns an error for a value of another type than its schema's. Unlike `invalid`, it prevents rules from being
 * evaluated.
 */
export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return { type: "typeInvalid", field, value, detail };
}

export function notSupported(field: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(goQuoted).join(", ")}`;
  return { type: "notSupported", field, value, detail };
}

export function duplicate(field: string, value: unknown): FieldError {
  return { type: "duplicate", field, value, detail: "" };
}

export function forbidden(field: string, detail: string): FieldError {
  return { type: "forbidden", field, detail };
}

export function notFound(field: string, value: unknown): FieldError {
  return { type: "notFound", field, value, detail: "" };
}

export function tooLong(field: string, max: number): FieldError {
  return { type: "tooLong", field, detail: `may not be more than ${max} ${max === 1 ? "byte" : "bytes"}` };
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  const detail = `must have at most ${max} ${max === 1 ? "item" : "items"}`;
  return { type: "tooMany", field, value: actual, detail };
}

export function internal(field: string, detail: string): FieldError {
  return { type: "internal", field, detail };
}

/** Returns the whole message: `spec.replicas: Invalid value: -1: must be greater than or equal to 0`. */
export function errorText(error: FieldError): string {
  return `${printedField(error)}: ${errorBody(error)}`;
}

/** Returns the message without the field: `Invalid value: -1: must be greater than or equal to 0`. */
export function errorBody({ type, value, detail }: FieldError): string {
  const parts = [errorTexts[type].text];
  if (value !== undefined) parts.push(printedValue(value));
  if (detail !== "") parts.push(detail);
  return parts.join(": ");
}

function printedField({ field }: FieldError): string {
  return field === "" ? "<nil>" : field;
}

function printedValue(value: unknown): string {
  if (typeof value === "string") return goQuoted(value);
  if (typeof value === "number" || typeof value === "bigint") return goNumber(value);
  return typeof value === "boolean" ? String(value) : goJson(value);
}

/** Converts errors to causes of a `Status`. */
export function toCauses(errors: readonly FieldError[]): StatusCause[] {
  return errors.map((error) => ({
    reason: errorTexts[error.type].reason,
    message: errorBody(error),
    field: printedField(error),
  }));
}

/** Joins errors into one string: a single error as it is, several in brackets. Drops duplicates. */
export function aggregateText(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(errorText))];
  return texts.length > 1 ? `[${texts.join(", ")}]` : texts.join("");
}

export interface InvalidObject {
  /** `""` for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** Returns the message of a 422: `Deployment.apps "web" is invalid: spec.selector: Required value`. */
export function invalidMessage({ group, kind, name }: InvalidObject, errors: readonly FieldError[]): string {
  const qualified = group === "" ? kind : `${kind}.${group}`;
  const reasons = errors.length === 0 ? "" : `: ${aggregateText(errors)}`;
  return `${qualified} ${goQuoted(name)} is invalid${reasons}`;
}

/**
 * Returns true if these errors prevent the rules of a schema from being evaluated, because values may not have the
 * expected types.
 */
export function blocksRules(errors: readonly FieldError[]): boolean {
  return errors.some(({ type }) => blocking.has(type));
}

const blocking: ReadonlySet<FieldErrorType> = new Set<FieldErrorType>([
  "notSupported",
  "required",
  "tooLong",
  "tooMany",
  "typeInvalid",
]);
