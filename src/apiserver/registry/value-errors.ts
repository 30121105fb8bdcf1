import { type FieldError, invalid, required } from "../../schema/index.ts";
import type { NameRule } from "../types/resource.ts";
import { nameProblems } from "../validation/name-rules.ts";

/** Returns an error if the value is missing or an empty string, list or map. */
export function requiredErrors(value: unknown, field: string, detail?: string): FieldError[] {
  return isEmpty(value) ? [required(field, detail)] : [];
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "";
}

/** Returns the errors in a name by this rule. */
export function nameErrors(rule: NameRule, name: string | undefined, field: string): FieldError[] {
  return nameProblems(rule, name ?? "").map((problem) => invalid(field, name ?? "", problem));
}

/** Returns the errors in a required name by this rule. */
export function requiredNameErrors(rule: NameRule, name: string | undefined, field: string): FieldError[] {
  return name ? nameErrors(rule, name, field) : [required(field)];
}

/** Returns an error if the value is negative. */
export function countErrors(value: number | undefined, field: string): FieldError[] {
  return (value ?? 0) < 0 ? [invalid(field, value, "must be greater than or equal to 0")] : [];
}

export function immutableErrors(field: string, value: unknown): FieldError[] {
  return [invalid(field, value, "field is immutable")];
}

/** Returns the errors in a relative path that must not leave its directory. */
export function localPathErrors(path: string, field: string): FieldError[] {
  return [
    ...(path.startsWith("/") ? [invalid(field, path, "must be a relative path")] : []),
    ...(path.split("/").includes("..") ? [invalid(field, path, "must not contain '..'")] : []),
  ];
}
