import { type FieldError, forbidden, goQuoted, notSupported } from "../schema/index.ts";
import { badRequest, invalidObject } from "./status-error.ts";
import { parseVersion } from "./versions.ts";

/** What a list or watch is asked for, beside selectors. */
export interface ListOptions {
  /** 0: no bound. */
  readonly limit: number;
  readonly continue: string;
  /** As it was sent; empty for none. */
  readonly resourceVersion: string;
  readonly match: "" | "Exact" | "NotOlderThan";
  readonly sendInitialEvents: boolean | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
}

/** Reads them. Numbers that are none are a bad request, what does not go together is invalid. */
export function listOptions(query: URLSearchParams, { watch }: { readonly watch: boolean }): ListOptions {
  const match = query.get("resourceVersionMatch") ?? "";
  const options = {
    limit: Math.max(integer(query, "limit") ?? 0, 0),
    continue: query.get("continue") ?? "",
    resourceVersion: query.get("resourceVersion") ?? "",
    match,
    sendInitialEvents: boolean(query, "sendInitialEvents"),
    allowWatchBookmarks: boolean(query, "allowWatchBookmarks") ?? false,
    timeoutSeconds: integer(query, "timeoutSeconds"),
  };
  const errors = watch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalidObject({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
  return options as ListOptions; // only known matches are without errors
}

type Given = Omit<ListOptions, "match"> & { readonly match: string };

const field = "resourceVersionMatch";

function listErrors({ match, resourceVersion, continue: token, sendInitialEvents }: Given): FieldError[] {
  const errors: FieldError[] = [];
  if (match !== "" && resourceVersion === "")
    errors.push(forbidden(field, `${field} is forbidden unless resourceVersion is provided`));
  if (match !== "" && token !== "")
    errors.push(forbidden(field, `${field} is forbidden when continue is provided`));
  if (match !== "" && match !== "Exact" && match !== "NotOlderThan")
    errors.push(notSupported(field, match, ["Exact", "NotOlderThan", ""]));
  if (match === "Exact" && resourceVersion === "0")
    errors.push(forbidden(field, `${field} "exact" is forbidden for resourceVersion "0"`));
  if (sendInitialEvents !== undefined)
    errors.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  return errors;
}

function watchErrors({ match, sendInitialEvents, continue: token }: Given): FieldError[] {
  if (sendInitialEvents === undefined) {
    return match === ""
      ? []
      : [forbidden(field, `${field} is forbidden for watch unless sendInitialEvents is provided`)];
  }
  const errors: FieldError[] = [];
  if (match !== "NotOlderThan")
    errors.push(forbidden(field, `sendInitialEvents requires setting ${field} to NotOlderThan`));
  if (token !== "")
    errors.push(forbidden("continue", "sendInitialEvents requires setting continue to empty"));
  return errors;
}

/** A whole number in a query. Empty is as if it were not there. */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw badRequest(`strconv.ParseInt: parsing ${goQuoted(text)}: invalid syntax`);
}

/** Anything but `false` and `0` is true, as in every query of Kubernetes. */
export function boolean(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return text.toLowerCase() !== "false" && text !== "0";
}

/** The revision that a list is not older than, or of; nothing for the newest. */
export function listRevision({ resourceVersion }: ListOptions): number | undefined {
  return parseVersion(resourceVersion, (message) => badRequest(`invalid resource version: ${message}`));
}
