import type { ServerRequest } from "./exchange.ts";
import { acceptedTypes, type MediaType, mediaType } from "./media-type.ts";
import { notAcceptable, nothingAcceptable, unsupportedMediaType } from "./status-error.ts";

/** How an answer is written. */
export interface OutputFormat {
  readonly encoding: "json" | "yaml";
  readonly pretty: boolean;
  /** What the answer is turned into. @default the object itself */
  readonly as?: Transform | undefined;
}

export interface Transform {
  readonly kind: "Table" | "PartialObjectMetadata" | "PartialObjectMetadataList";
  /** Of group meta.k8s.io. */
  readonly version: string;
}

/** What a request's answer may be. */
export interface Offer {
  /** A collection may be watched, and says so when it refuses. */
  readonly collection: boolean;
  /** Custom kinds have no protobuf form. */
  readonly custom: boolean;
  /** The answer is a stream of events. */
  readonly watch: boolean;
  /** The answer may be shown as a Table. */
  readonly tables: boolean;
}

const protobufType = "application/vnd.kubernetes.protobuf";
const objectTypes = ["application/json", "application/yaml", protobufType];
const watchTypes = ["application/json;stream=watch", `${protobufType};stream=watch`];

/**
 * How to answer a request. Protobuf is never written: a clause that wants it is passed over, and where no other is
 * left the request is refused.
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

/** How to write an error: whatever was asked for, an error is answered, and one that nobody would read is for people. */
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

/** Whether somebody reads the answer with their own eyes. */
export function wantsPretty({ query, headers }: ServerRequest): boolean {
  const asked = query.get("pretty");
  if (asked !== null) return isTrue(asked);
  return /^(curl|Wget|Mozilla\/5\.0)/.test(headers["user-agent"] ?? "");
}

function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

/** In which notation a body is written. */
export type InputEncoding = "json" | "yaml";

/** The notation of a request's body: JSON where nothing is said. */
export function inputEncoding({ headers }: ServerRequest): InputEncoding {
  const header = headers["content-type"] ?? "";
  const { type } = mediaType(header);
  if (header === "" || type.toLowerCase() === "application/json") return "json";
  if (type.toLowerCase() === "application/yaml") return "yaml";
  // Who sends protobuf is not told to send it.
  throw unsupportedMediaType(type === protobufType ? objectTypes.slice(0, 2) : objectTypes);
}
