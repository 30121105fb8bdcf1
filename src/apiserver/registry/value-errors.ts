import { type FieldError, invalid, required } from "../../schema/index.ts";
import { nameFaults } from "../name-rules.ts";
import type { NameRule } from "../resource.ts";

/** The value has to be given: an empty text, list or map is none. */
export function missing(value: unknown, field: string, detail?: string): FieldError[] {
  return isNothing(value) ? [required(field, detail)] : [];
}

function isNothing(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === "";
}

/** The value has to be a name by this rule. Nothing is none. */
export function nameErrors(rule: NameRule, name: string | undefined, field: string): FieldError[] {
  return nameFaults(rule, name ?? "").map((fault) => invalid(field, name ?? "", fault));
}

/** The value has to be given, and a name by this rule. */
export function neededName(rule: NameRule, name: string | undefined, field: string): FieldError[] {
  return name ? nameErrors(rule, name, field) : [required(field)];
}

/** The value may not be negative. */
export function countErrors(value: number | undefined, field: string): FieldError[] {
  return (value ?? 0) < 0 ? [invalid(field, value, "must be greater than or equal to 0")] : [];
}

export function immutableErrors(field: string, value: unknown): FieldError[] {
  return [invalid(field, value, "field is immutable")];
}

/** A path that stays where it begins. */
export function localPathErrors(path: string, field: string): FieldError[] {
  return [
    ...(path.startsWith("/") ? [invalid(field, path, "must be a relative path")] : []),
    ...(path.split("/").includes("..") ? [invalid(field, path, "must not contain '..'")] : []),
  ];
}
