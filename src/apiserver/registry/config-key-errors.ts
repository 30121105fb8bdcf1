import { type FieldError, invalid } from "../../schema/index.ts";

const keyPattern = /^[-._a-zA-Z0-9]+$/;

const wrongKey =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' " +
  "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

/** What is wrong with a key of a ConfigMap or Secret: it may become the name of a file. */
export function configKeyErrors(key: string, field: string): FieldError[] {
  if (key.length > 253) return [invalid(field, key, "must be no more than 253 characters")];
  if (!keyPattern.test(key)) return [invalid(field, key, wrongKey)];
  if (key === ".") return [invalid(field, key, "must not be '.'")];
  if (key === "..") return [invalid(field, key, "must not be '..'")];
  return key.startsWith("..") ? [invalid(field, key, "must not start with '..'")] : [];
}
