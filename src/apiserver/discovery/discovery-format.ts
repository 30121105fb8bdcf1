import { acceptedTypes, type MediaType } from "../codec/media-type.ts";
import { wantsPretty } from "../codec/negotiation.ts";
import type { ServerRequest } from "../types/exchange.ts";
import { methodNotAllowed, notAcceptable, nothingAcceptable } from "../types/status-error.ts";
import type { DocumentFormat } from "./documents.ts";

/** The format of a discovery response. */
export interface DiscoveryFormat extends DocumentFormat {
  /** True if the response has all groups and resources in one document. */
  readonly aggregated: boolean;
}

export interface DiscoveryOffer {
  /** True if the path has an aggregated form. @default false */
  readonly aggregated?: boolean | undefined;
  /** True if the path accepts only GET and only exact media types, as kube-apiserver's router does. @default false */
  readonly strict?: boolean | undefined;
}

const types = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];

/** Returns the first format of the `Accept` header that the path offers. Protobuf is skipped. */
export function discoveryFormat(request: ServerRequest, offer: DiscoveryOffer): DiscoveryFormat {
  const clauses = acceptedTypes(request.headers.accept);
  if (offer.strict) requireStrict(request, clauses);
  for (const clause of clauses) {
    const encoding = encodings[clause.type];
    const aggregated = clause.parameters.has("as");
    if (!encoding || (aggregated && !(offer.aggregated && isAggregated(clause)))) continue;
    return { encoding, aggregated, pretty: wantsPretty(request) };
  }
  throw notAcceptable(types);
}

function requireStrict({ method }: ServerRequest, clauses: readonly MediaType[]): void {
  if (method !== "GET") throw methodNotAllowed();
  if (!clauses.some(({ type }) => type === "*/*" || types.includes(type))) throw nothingAcceptable(types);
}

const encodings: Readonly<Record<string, DocumentFormat["encoding"]>> = {
  "*/*": "json",
  "application/*": "json",
  "application/json": "json",
  "application/yaml": "yaml",
};

function isAggregated({ parameters }: MediaType): boolean {
  return Object.entries(aggregatedForm).every(([name, value]) => parameters.get(name) === value);
}

const aggregatedForm = { g: "apidiscovery.k8s.io", v: "v2", as: "APIGroupDiscoveryList" };

/** Returns the media type of a discovery response. */
export function discoveryType({ encoding, aggregated }: DiscoveryFormat): string {
  const parameters = Object.entries(aggregatedForm).map(([name, value]) => `;${name}=${value}`);
  return `application/${encoding}${aggregated ? parameters.join("") : ""}`;
}
