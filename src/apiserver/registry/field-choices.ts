import { type FieldError, invalid, notSupported, required } from "../../schema/index.ts";

/** Returns an error unless the value is one of `supported`. The message lists them in this order. */
export function oneOf(value: string | undefined, supported: readonly string[], field: string): FieldError[] {
  if (value !== undefined && supported.includes(value)) return [];
  return value ? [notSupported(field, value, supported)] : [required(field)];
}

export function portNumberErrors(port: number, field: string): FieldError[] {
  return port >= 1 && port <= 65535 ? [] : [invalid(field, port, "must be between 1 and 65535, inclusive")];
}
