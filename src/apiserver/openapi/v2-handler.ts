import { release } from "../../api/types/facts.ts";
import { acceptedTypes } from "../codec/media-type.ts";
import type { PathRequest } from "../discovery/path-handler.ts";
import type { ServerResponse } from "../types/exchange.ts";

const protobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/**
 * Serves `/openapi/v2`: a document without paths and definitions, in JSON or protobuf. The full content is in version
 * 3. kubectl requests version 2 for kinds it does not find there, and reports an error if it is missing.
 */
export function serveOpenApiV2({ request }: PathRequest): ServerResponse {
  const vary = ["Accept-Encoding", "Accept"];
  const headers = { "cache-control": "no-cache, private", vary };
  const body = acceptedTypes(request.headers.accept)
    .map(({ type }) => bodies[type])
    .find((body) => body);
  if (!body) return { type: "buffered", status: 406, headers, body: "" };
  return {
    type: "buffered",
    status: 200,
    headers: { ...headers, "content-type": body.type },
    body: body.body,
  };
}

const info = { title: "Kubernetes", version: release.replace(/^v(\d+\.\d+).*$/, "$1") };

const json = {
  type: "application/json",
  body: JSON.stringify({ swagger: "2.0", info, paths: {}, definitions: {} }),
};

/** A protobuf message: field 1 is the Swagger version, field 2 the info with the fields title and version. */
const protobuf = {
  type: protobufType,
  body: Buffer.concat([
    field(1, "2.0"),
    field(2, Buffer.concat([field(1, info.title), field(2, info.version)])),
  ]),
};

type Body = typeof json | typeof protobuf;

const bodies: Readonly<Record<string, Body | undefined>> = {
  "*/*": json,
  "application/*": json,
  "application/json": json,
  [protobufType]: protobuf,
  // Clients send this form, which is not a valid media type.
  "application/com.github.proto-openapi.spec.v2@v1.0+protobuf": protobuf,
};

/** Returns a length-delimited protobuf field of less than 128 bytes. */
function field(number: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
}
