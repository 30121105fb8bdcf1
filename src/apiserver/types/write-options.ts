import { type FieldError, goQuoted, invalid, notSupported, tooLong } from "../../schema/index.ts";
import type { ServerRequest } from "./exchange.ts";
import { invalidObject } from "./status-error.ts";

/** The options in the query of a write. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** The field manager. @default the first part of the user agent */
  readonly manager: string;
  readonly fieldValidation: FieldValidation;
}

export type FieldValidation = "Ignore" | "Warn" | "Strict";

export type OptionsKind = "CreateOptions" | "UpdateOptions" | "PatchOptions";

/** Reads the options. Throws a `StatusError` with all errors. */
export function writeOptions(request: ServerRequest, kind: OptionsKind): WriteOptions {
  const { query } = request;
  const errors = optionErrors(query);
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind }, "", errors);
  return {
    dryRun: dryRunOf(query).length > 0,
    manager: query.get("fieldManager") || userAgentManager(request.headers["user-agent"]),
    fieldValidation: validations.find((value) => value === query.get("fieldValidation")) ?? "Warn",
  };
}

const validations: readonly FieldValidation[] = ["Ignore", "Strict", "Warn"];

/** Returns the errors of `dryRun` in a query or in the body of a deletion. */
export function dryRunErrors(values: readonly string[]): FieldError[] {
  return values.every((value) => value === "All") ? [] : [notSupported("dryRun", values, ["All"])];
}

function dryRunOf(query: URLSearchParams): string[] {
  return query.getAll("dryRun");
}

export function optionErrors(query: URLSearchParams): FieldError[] {
  return [
    ...dryRunErrors(dryRunOf(query)),
    ...managerErrors(query.get("fieldManager") ?? ""),
    ...validationErrors(query.get("fieldValidation") ?? ""),
  ];
}

const maxManagerBytes = 128;

export function managerErrors(manager: string): FieldError[] {
  if (Buffer.byteLength(manager) > maxManagerBytes) return [tooLong("fieldManager", maxManagerBytes)];
  const at = manager.search(/[^ \p{L}\p{M}\p{N}\p{P}\p{S}]/u);
  if (at < 0) return [];
  const code = (manager.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const position = Buffer.byteLength(manager.slice(0, at));
  return [invalid("fieldManager", manager, `invalid character U+${code} (at position ${position})`)];
}

function validationErrors(value: string): FieldError[] {
  if (value === "" || validations.some((one) => one === value)) return [];
  return [notSupported("fieldValidation", value, ["", ...validations])];
}

/** Returns the user agent up to the first `/`, truncated to the maximum length of a manager. */
function userAgentManager(agent = ""): string {
  const [name = ""] = agent.split("/");
  return [...name]
    .filter((character) => goQuoted(character) === `"${character}"` || character === '"')
    .join("")
    .slice(0, maxManagerBytes);
}
