import { fieldMatcher, selectorMatcher } from "../api/index.ts";
import type { ListOptions, WriteOptions } from "./options.ts";
import type { Query } from "./resource-path.ts";

/** Returns the query parameters of selectors, for lists, watches and deletions. */
export function listQuery({ labels, fields }: Pick<ListOptions, "labels" | "fields">): Query {
  return { labelSelector: labelText(labels) || undefined, fieldSelector: fieldText(fields) || undefined };
}

export function writeQuery(options: WriteOptions, fieldManager: string, force: boolean): Query {
  return {
    dryRun: options.dryRun ? "All" : undefined,
    fieldManager: options.fieldManager ?? fieldManager,
    fieldValidation: options.fieldValidation,
    force: force ? true : undefined,
  };
}

/** Returns the label selector. Pairs are validated, because a value with a comma would match other objects. */
function labelText(labels: ListOptions["labels"]): string | undefined {
  return typeof labels === "object" ? selectorMatcher({ matchLabels: labels }).text : labels;
}

/** Returns the field selector. Special characters in the values of pairs are escaped. */
function fieldText(fields: ListOptions["fields"]): string | undefined {
  return typeof fields === "object" ? fieldMatcher(fields).text : fields;
}
