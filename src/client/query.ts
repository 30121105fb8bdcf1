import { fieldMatcher, selectorMatcher } from "../api/index.ts";
import type { DeleteOptions, ListOptions, WriteOptions } from "./options.ts";
import type { Query } from "./resource-path.ts";

/** What chooses objects, in lists, watches and deletions alike. */
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

/** The body of a deletion, or nothing where the server's own ways will do. */
export function deleteBody(options: DeleteOptions): string | undefined {
  const { uid, resourceVersion, propagation, graceSeconds, dryRun } = options;
  const preconditions =
    uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion };
  const body = {
    preconditions,
    propagationPolicy: propagation,
    gracePeriodSeconds: graceSeconds,
    dryRun: dryRun ? ["All"] : undefined,
  };
  if (Object.values(body).every((value) => value === undefined)) return undefined;
  return JSON.stringify({ apiVersion: "v1", kind: "DeleteOptions", ...body });
}

/** Pairs are checked: a value with a comma in it would be another selector, and choose other objects. */
function labelText(labels: ListOptions["labels"]): string | undefined {
  return typeof labels === "object" ? selectorMatcher({ matchLabels: labels }).text : labels;
}

/** Values of pairs are escaped where the selector language has signs of its own. */
function fieldText(fields: ListOptions["fields"]): string | undefined {
  return typeof fields === "object" ? fieldMatcher(fields).text : fields;
}
