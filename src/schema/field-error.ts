import type { StatusCause } from "../api/index.ts";
import { goJson, goNumber, goQuoted } from "./go-text.ts";

/** What is wrong with one field, in the words of the API server. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** A path like `spec.containers[0].image` or `metadata.annotations[key]`. Empty for the whole object. */
  readonly field: string;
  /** What was there. Absent where the message names none. */
  readonly value?: unknown;
  /** What was expected. Empty where the type says it all. */
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

interface Words {
  /** The reason of a status cause. */
  readonly reason: string;
  /** How a message begins. */
  readonly text: string;
}

const words: Readonly<Record<FieldErrorType, Words>> = {
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

/** A value of another type than its schema's. Unlike `invalid` it keeps rules from being evaluated. */
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

export function tooLong(field: string, most: number): FieldError {
  return { type: "tooLong", field, detail: `may not be more than ${most} ${most === 1 ? "byte" : "bytes"}` };
}

export function tooMany(field: string, actual: number, most: number): FieldError {
  const detail = `must have at most ${most} ${most === 1 ? "item" : "items"}`;
  return { type: "tooMany", field, value: actual, detail };
}

export function internal(field: string, detail: string): FieldError {
  return { type: "internal", field, detail };
}

/** `spec.replicas: Invalid value: -1: must be greater than or equal to 0` */
export function errorText(error: FieldError): string {
  return `${printedField(error)}: ${errorBody(error)}`;
}

/** The message without the field: `Invalid value: -1: must be greater than or equal to 0`. */
export function errorBody({ type, value, detail }: FieldError): string {
  const parts = [words[type].text];
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

/** The errors as causes of a `Status`, one for each. */
export function toCauses(errors: readonly FieldError[]): StatusCause[] {
  return errors.map((error) => ({
    reason: words[error.type].reason,
    message: errorBody(error),
    field: printedField(error),
  }));
}

/** The errors in one text: one alone as it is, several in brackets. Equal ones are told once. */
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

/** The message of a 422: `Deployment.apps "web" is invalid: spec.selector: Required value`. */
export function invalidMessage({ group, kind, name }: InvalidObject, errors: readonly FieldError[]): string {
  const qualified = group === "" ? kind : `${kind}.${group}`;
  const reasons = errors.length === 0 ? "" : `: ${aggregateText(errors)}`;
  return `${qualified} ${goQuoted(name)} is invalid${reasons}`;
}

/** Whether these errors keep the rules of a schema from being evaluated, since values may not be what rules expect. */
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
