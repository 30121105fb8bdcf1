import { TimeSlice } from "../../base/index.ts";
import { acceptedTypes } from "../codec/media-type.ts";
import { matchesEtag } from "../discovery/documents.ts";
import type { PathRequest } from "../discovery/path-handler.ts";
import type { Served } from "../discovery/served.ts";
import type { BufferedServerResponse, ServerResponse } from "../types/exchange.ts";
import { type SwaggerDocument, swaggerDocument } from "./swagger-document.ts";

const jsonType = "application/json";
const protobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/**
 * Serves `/openapi/v2`: one document of all served kinds, in JSON or protobuf. kubectl requests it for kinds that it
 * does not find in version 3, and Go's discovery client reads it.
 */
export async function serveOpenApiV2({ request, served }: PathRequest): Promise<ServerResponse> {
  const type = acceptedTypes(request.headers.accept)
    .map((accepted) => responseTypes[accepted.type])
    .find((known) => known !== undefined);
  if (type === undefined) return empty(406);
  const document = await documentOf(served);
  const etag = { etag: `"${document.hash}"` };
  if (matchesEtag(request, document.hash)) return { ...empty(304), headers: { ...headers, ...etag } };
  return {
    type: "buffered",
    status: 200,
    headers: { ...headers, ...etag, "content-type": type },
    body: type === jsonType ? document.json : document.protobuf,
    compressible: true,
  };
}

const headers = { "cache-control": "no-cache, private", vary: ["Accept-Encoding", "Accept"] };

function empty(status: number): BufferedServerResponse {
  return { type: "buffered", status, headers, body: "" };
}

const responseTypes: Readonly<Record<string, string | undefined>> = {
  "*/*": jsonType,
  "application/*": jsonType,
  "application/json": jsonType,
  [protobufType]: protobufType,
  // Clients send this form, which is not a valid media type.
  "application/com.github.proto-openapi.spec.v2@v1.0+protobuf": protobufType,
};

/** Returns the document, which is made on the first request after the served kinds have changed. */
function documentOf(served: Served): Promise<SwaggerDocument> {
  const cached = documents.get(served) ?? new TimeSlice().run(swaggerDocument(served));
  documents.set(served, cached);
  return cached;
}

const documents = new WeakMap<Served, Promise<SwaggerDocument>>();
