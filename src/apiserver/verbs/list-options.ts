import { type FieldError, forbidden, goQuoted, notSupported } from "../../schema/index.ts";
import { badRequest, invalidObject } from "../types/status-error.ts";
import { checkSelectors } from "../watch/selection.ts";
import { parseVersion } from "./resource-version.ts";

/** The options of a list or watch, except selectors. */
export interface ListOptions {
  /** Maximum number of items; 0 for no limit. */
  readonly limit: number;
  readonly continue: string;
  /** The resource version as it was sent; empty if absent. */
  readonly resourceVersion: string;
  readonly match: "" | "Exact" | "NotOlderThan";
  readonly sendInitialEvents: boolean | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
}

/**
 * Reads the options from a query. Throws a 400 for malformed numbers and a 422 for options that contradict each other.
 */
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
  if (errors.length > 0) {
    checkSelectors(query); // kube-apiserver parses the whole query before it validates options
    throw invalidObject({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
  }
  return options as ListOptions; // only known values of `match` pass the validation
}

type RawListOptions = Omit<ListOptions, "match"> & { readonly match: string };

const field = "resourceVersionMatch";

function listErrors({
  match,
  resourceVersion,
  continue: token,
  sendInitialEvents,
}: RawListOptions): FieldError[] {
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

/**
 * Returns the errors of a watch. A watch that starts with the stored objects, the default, matches versions that are
 * not older.
 */
function watchErrors(options: RawListOptions): FieldError[] {
  const { match, sendInitialEvents, continue: token, resourceVersion } = options;
  const fromNow = resourceVersion === "" || resourceVersion === "0";
  const matched = match === "" && sendInitialEvents === undefined && fromNow ? "NotOlderThan" : match;
  const errors: FieldError[] = [];
  if (sendInitialEvents === undefined && match !== "") {
    errors.push(forbidden(field, `${field} is forbidden for watch unless sendInitialEvents is provided`));
  }
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    errors.push(forbidden(field, `sendInitialEvents requires setting ${field} to NotOlderThan`));
  }
  if (match !== "" && match !== "NotOlderThan") errors.push(notSupported(field, match, ["NotOlderThan"]));
  if (matched !== "" && token !== "") {
    errors.push(forbidden(field, `${field} is forbidden when continue is provided`));
  }
  return errors;
}

/** Reads an integer of at most 64 bits from a query. */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const written = /^[+-]?\d+$/.test(text);
  if (written && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) return Number(text);
  const why = written ? "value out of range" : "invalid syntax";
  throw badRequest(`strconv.ParseInt: parsing ${goQuoted(text)}: ${why}`);
}

/** Reads a boolean from a query. Everything except `false` and `0` is true, as everywhere in Kubernetes. */
export function boolean(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  return text.toLowerCase() !== "false" && text !== "0";
}

/** Returns the revision of the requested resource version, or `undefined` for the newest. */
export function listRevision({ resourceVersion }: ListOptions): number | undefined {
  return parseVersion(resourceVersion, (message) => badRequest(`invalid resource version: ${message}`));
}
