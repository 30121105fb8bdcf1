import { type FieldError, invalid } from "../../schema/index.ts";

const keyPattern = /^[-._a-zA-Z0-9]+$/;

const invalidKey =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' " +
  "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** Returns the errors in a key of a ConfigMap or Secret. The key may become a file name. */
export function configKeyErrors(key: string, field: string): FieldError[] {
  if (key.length > 253) return [invalid(field, key, "must be no more than 253 characters")];
  if (!keyPattern.test(key)) return [invalid(field, key, invalidKey)];
  if (key === ".") return [invalid(field, key, "must not be '.'")];
  if (key === "..") return [invalid(field, key, "must not be '..'")];
  return key.startsWith("..") ? [invalid(field, key, "must not start with '..'")] : [];
}
