/** What is wrong with one field, in the words of the API server. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** A path like `spec.containers[0].image` or `metadata.annotations[key]`. Empty for the whole object. */
  readonly field: string;
  /** What was there. Absent where the message names none. */
  readonly value?: unknown;
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
