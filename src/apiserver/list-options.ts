import { type FieldError, forbidden, goQuoted, notSupported } from "../schema/index.ts";
import { checkSelectors } from "./selection.ts";
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
  if (errors.length > 0) {
    checkSelectors(query); // a query is read whole before what it says is judged
    throw invalidObject({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
  }
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

/** A watch that begins with what is there, as it does by default, matches versions that are not older. */
function watchErrors(given: Given): FieldError[] {
  const { match, sendInitialEvents, continue: token, resourceVersion } = given;
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

/** A whole number in a query, of at most 64 bits. */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const written = /^[+-]?\d+$/.test(text);
  if (written && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) return Number(text);
  const why = written ? "value out of range" : "invalid syntax";
  throw badRequest(`strconv.ParseInt: parsing ${goQuoted(text)}: ${why}`);
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
