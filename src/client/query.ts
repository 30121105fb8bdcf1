import type { DeleteOptions, ListOptions, WriteOptions } from "./options.ts";
import type { Query } from "./resource-path.ts";

/** What chooses objects, in lists, watches and deletions alike. */
export function listQuery({ labels, fields }: Pick<ListOptions, "labels" | "fields">): Query {
  return { labelSelector: selectorText(labels), fieldSelector: selectorText(fields) };
}

export function writeQuery(options: WriteOptions, fieldManager: string): Query {
  return {
    dryRun: options.dryRun ? "All" : undefined,
    fieldManager: options.fieldManager ?? fieldManager,
    fieldValidation: options.fieldValidation,
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

function selectorText(selector: ListOptions["labels"]): string | undefined {
  if (selector === undefined || typeof selector === "string") return selector || undefined;
  const pairs = Object.entries(selector).map(([name, value]) => `${name}=${value}`);
  return pairs.join(",") || undefined;
}
