import type { ServerRequest } from "../types/exchange.ts";
import { notAcceptable, nothingAcceptable, unsupportedMediaType } from "../types/status-error.ts";
import { acceptedTypes, type MediaType, mediaType } from "./media-type.ts";

/** The format of a response. */
export interface OutputFormat {
  readonly encoding: "json" | "yaml";
  readonly pretty: boolean;
  /** The form into which the object is transformed. @default none */
  readonly as?: Transform | undefined;
}

export interface Transform {
  readonly kind: "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";
  /** A version of meta.k8s.io. */
  readonly version: string;
}

/** The formats that a response can have. */
export interface Offer {
  /** True for a collection, which can be watched; its errors list the stream types. */
  readonly collection: boolean;
  /** True for custom kinds, which have no protobuf form. */
  readonly custom: boolean;
  /** True if the response is a stream of events. */
  readonly watch: boolean;
  /** True if the object can be transformed into a Table. */
  readonly tables: boolean;
}

const protobufType = "application/vnd.kubernetes.protobuf";
const objectTypes = ["application/json", "application/yaml", protobufType];
const watchTypes = ["application/json;stream=watch", `${protobufType};stream=watch`];

/**
 * Returns the format of the response. Protobuf is not supported: a clause for it is ignored, and the request is refused
 * if no other clause is left.
 */
export function outputFormat(request: ServerRequest, offer: Offer): OutputFormat {
  const clauses = acceptedTypes(request.headers.accept);
  if (!offer.custom && !clauses.some(({ type }) => type === "*/*" || objectTypes.includes(type))) {
    throw nothingAcceptable(offer.collection ? [...objectTypes, ...watchTypes] : objectTypes);
  }
  for (const clause of clauses) {
    const format = formatOf(clause, offer);
    if (format) return { ...format, pretty: format.pretty || wantsPretty(request) };
  }
  throw notAcceptable(acceptable(offer));
}

/** Returns the format of an error. An error is sent even if no acceptable type is known, and is then pretty-printed. */
export function errorFormat(request: ServerRequest): OutputFormat {
  const known = acceptedTypes(request.headers.accept).find(
    ({ type, parameters }) => !parameters.has("as") && (encodings.has(type) || objectTypes.includes(type)),
  );
  return { encoding: encodings.get(known?.type ?? "") ?? "json", pretty: !known || wantsPretty(request) };
}

const encodings: ReadonlyMap<string, OutputFormat["encoding"]> = new Map([
  ["*/*", "json"],
  ["application/*", "json"],
  ["application/json", "json"],
  ["application/yaml", "yaml"],
]);

function formatOf({ type, parameters }: MediaType, { watch, tables }: Offer): OutputFormat | undefined {
  const encoding = encodings.get(type);
  if (!encoding || (watch && encoding !== "json")) return undefined;
  const pretty = isTrue(parameters.get("pretty"));
  if (!parameters.has("as")) return { encoding, pretty };
  const as = transformOf(parameters);
  return as && (as.kind !== "Table" || tables) ? { encoding, pretty, as } : undefined;
}

function transformOf(parameters: ReadonlyMap<string, string>): Transform | undefined {
  const kind = kinds.find((known) => known === parameters.get("as"));
  const version = parameters.get("v") ?? "";
  const known = parameters.get("g") === "meta.k8s.io" && (version === "v1" || version === "v1beta1");
  return kind && known ? { kind, version } : undefined;
}

const kinds: ReadonlyArray<Transform["kind"]> = [
  "Table",
  "PartialObjectMetadata",
  "PartialObjectMetadataList",
];

function acceptable({ watch }: Offer): string[] {
  return watch ? watchTypes : objectTypes;
}

/** Returns true if the response is pretty-printed: on request, and for curl, Wget and browsers. */
export function wantsPretty({ query, headers }: ServerRequest): boolean {
  const requested = query.get("pretty");
  if (requested !== null) return isTrue(requested);
  return /^(curl|Wget|Mozilla\/5\.0)/.test(headers["user-agent"] ?? "");
}

function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

/** The encoding of a request body. */
export type InputEncoding = "json" | "yaml" | "protobuf";

/** Returns the encoding of a request body. The default is JSON. Custom kinds have no protobuf form. */
export function inputEncoding({ headers }: ServerRequest, { custom }: Pick<Offer, "custom">): InputEncoding {
  const header = headers["content-type"] ?? "";
  const type = mediaType(header).type.toLowerCase();
  if (header === "" || type === "application/json") return "json";
  if (type === "application/yaml") return "yaml";
  if (type === protobufType && !custom) return "protobuf";
  // A client that sends protobuf does not get protobuf in the list of supported types.
  throw unsupportedMediaType(type === protobufType ? objectTypes.slice(0, 2) : objectTypes);
}
