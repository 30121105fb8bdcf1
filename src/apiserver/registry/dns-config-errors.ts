import type { PodSpec } from "../../api/types/core/v1.ts";
import { type FieldError, invalid, required } from "../../schema/index.ts";
import { searchProblems } from "../validation/name-rules.ts";
import { addressErrors } from "./address-errors.ts";

/** Returns the errors in the DNS configuration of a Pod. */
export function dnsConfigErrors({ dnsPolicy, dnsConfig }: PodSpec, field: string): FieldError[] {
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {};
  if (dnsPolicy === "None" && !dnsConfig)
    return [required(field, "must provide `dnsConfig` when `dnsPolicy` is None")];
  if (dnsPolicy === "None" && nameservers.length === 0)
    return [
      required(`${field}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None"),
    ];
  return [
    ...(nameservers.length > 3
      ? [invalid(`${field}.nameservers`, nameservers, "must not have more than 3 nameservers")]
      : []),
    ...nameservers.flatMap((server, index) => addressErrors(server, `${field}.nameservers[${index}]`)),
    ...searchErrors(searches, `${field}.searches`),
    ...options.flatMap(({ name }, index) =>
      name ? [] : [required(`${field}.options[${index}]`, "must not be empty")],
    ),
  ];
}

function searchErrors(searches: readonly string[], field: string): FieldError[] {
  const tooLongDetail = "must not have more than 2048 characters (including spaces) in the search list";
  return [
    ...(searches.length > 32 ? [invalid(field, searches, "must not have more than 32 search paths")] : []),
    ...(searches.join(" ").length > 2048 ? [invalid(field, searches, tooLongDetail)] : []),
    ...searches.flatMap((search, index) => {
      const name = search === "." ? "root" : search.replace(/\.$/, "");
      return searchProblems(name).map((problem) => invalid(`${field}[${index}]`, name, problem));
    }),
  ];
}
