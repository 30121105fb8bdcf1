import { release } from "../../api/types/facts.ts";
import type { Visit } from "../discovery/path-handler.ts";
import type { ServerResponse } from "../exchange.ts";
import { acceptedTypes } from "../media-type.ts";

const protobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/**
 * `/openapi/v2`: a document without paths and definitions, in JSON or protobuf. All there is to know is in version 3;
 * kubectl asks for this one about kinds it did not find there, and takes an error for a broken server.
 */
export function openApiV2Face({ request }: Visit): ServerResponse {
  const vary = ["Accept-Encoding", "Accept"];
  const headers = { "cache-control": "no-cache, private", vary };
  const accepted = acceptedTypes(request.headers.accept)
    .map(({ type }) => bodies[type])
    .find((body) => body);
  if (!accepted) return { type: "buffered", status: 406, headers, body: "" };
  return {
    type: "buffered",
    status: 200,
    headers: { ...headers, "content-type": accepted.type },
    body: accepted.body,
  };
}

const info = { title: "Kubernetes", version: release.replace(/^v(\d+\.\d+).*$/, "$1") };

const json = {
  type: "application/json",
  body: JSON.stringify({ swagger: "2.0", info, paths: {}, definitions: {} }),
};

/** Field 1 is the version of Swagger, field 2 the info, whose fields 1 and 2 are title and version. */
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
  // As clients write it, which is no media type.
  "application/com.github.proto-openapi.spec.v2@v1.0+protobuf": protobuf,
};

/** A field of a protobuf message that has a length, of less than 128 bytes. */
function field(number: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
}
