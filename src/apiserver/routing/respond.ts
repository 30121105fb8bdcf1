import { apiVersionOf, type KubeObject } from "../../api/index.ts";
import { runAtOnce, type Steps, TimeSlice, uuid } from "../../base/index.ts";
import { writeJson } from "../../schema/index.ts";
import { convertAgain, convertVersions } from "../codec/converted-versions.ts";
import { parseStored } from "../codec/document.ts";
import { errorFormat, type OutputFormat } from "../codec/negotiation.ts";
import { itemParts, objectText, versionObject } from "../codec/object-text.ts";
import type { ObjectVersion } from "../codec/object-version.ts";
import type { ServerRequest, ServerResponse } from "../types/exchange.ts";
import type { Resource } from "../types/resource.ts";
import type { StatusError } from "../types/status-error.ts";
import type { Warnings } from "../types/warnings.ts";
import { callTransformer } from "../verbs/call-transformer.ts";
import type { Call, Engine } from "../verbs/engine.ts";
import { listBody, type WrittenList } from "../verbs/list-body.ts";
import type { ListResult, VerbResult } from "../verbs/verb-result.ts";
import { yamlSteps } from "../yaml/yaml-writer.ts";

/** Encodes the result of a verb in the requested format. */
export async function respond(engine: Engine, call: Call, result: VerbResult): Promise<ServerResponse> {
  const { format, warnings } = call;
  switch (result.type) {
    case "stream": {
      const headers = headersOf(engine, { type: "application/json", warnings });
      return { type: "stream", status: 200, headers, start: result.start };
    }
    case "text": {
      const headers = headersOf(engine, { type: "text/plain", warnings });
      if (result.text !== undefined) return { type: "buffered", status: 200, headers, body: result.text };
      const { "content-type": _, ...others } = headers;
      return { type: "buffered", status: 204, headers: others, body: "" };
    }
    default: {
      if (result.type === "list") await convertVersions(call.resource, result.items);
      if (result.type === "object") await convertAgain(call.resource, result.version);
      const body =
        result.type === "list"
          ? await listBody(engine.clock, writtenList(engine, call, result), format)
          : await new TimeSlice(engine.clock).run(objectBody(engine, call, result));
      const headers = headersOf(engine, { type: contentType(format), warnings });
      const status = result.type === "list" ? 200 : result.code;
      return { type: "buffered", status, headers, body, compressible: true };
    }
  }
}

function* objectBody(engine: Engine, call: Call, result: SingleResult): Steps<string> {
  const { format, resource } = call;
  const json = format.as ? transformedText(engine, call, result) : textOf(resource, result);
  yield;
  return yield* formatted(json, format);
}

type SingleResult = Exclude<VerbResult, { type: "stream" } | { type: "text" } | { type: "list" }>;

/** Returns a list whose items are parsed only when they are written. */
function writtenList(
  engine: Engine,
  call: Call,
  { metadata, items }: ListResult,
): WrittenList<ObjectVersion> {
  const { resource } = call;
  if (!call.format.as) {
    const head = { kind: resource.listKind, apiVersion: apiVersionOf(resource), metadata };
    return { head, field: "items", empty: [], items, parts: (version) => itemParts(resource, version) };
  }
  const shape = callTransformer(engine, call).list(metadata);
  const parts = (version: ObjectVersion): string[] => [
    writeJson(shape.item(versionObject(resource, version))),
  ];
  return { ...shape, items, parts };
}

/**
 * Returns the text of a Table or of metadata only. Values that are not objects of a kind, such as a Status, are
 * unchanged.
 */
function transformedText(engine: Engine, call: Call, result: SingleResult): string {
  if (
    result.type === "value" &&
    !("metadata" in result.value && "name" in (result.value.metadata as object))
  ) {
    return writeJson(result.value);
  }
  const transformer = callTransformer(engine, call);
  // A value with a name, such as a Scale, is an object.
  const object =
    result.type === "value" ? (result.value as KubeObject) : versionObject(call.resource, result.version);
  return writeJson(transformer.object(object));
}

/** Returns the response that reports an error as a Status. */
export function respondError(
  engine: Engine,
  request: ServerRequest,
  { error, warnings }: { readonly error: StatusError; readonly warnings?: Warnings | undefined },
): ServerResponse {
  const format = errorFormat(request);
  const seconds = error.details?.retryAfterSeconds;
  const headers = {
    ...headersOf(engine, { type: contentType(format), warnings }),
    ...(seconds !== undefined && { "retry-after": String(seconds) }),
  };
  const body = runAtOnce(formatted(writeJson(error.toStatus()), format));
  return { type: "buffered", status: error.code, headers, body, compressible: true };
}

interface HeadOptions {
  readonly type: string;
  readonly warnings?: Warnings | undefined;
}

export function headersOf(
  { rng }: Pick<Engine, "rng">,
  { type, warnings }: HeadOptions,
): Record<string, string | readonly string[]> {
  const warning = warnings?.headers ?? [];
  return {
    "audit-id": uuid(rng),
    "cache-control": "no-cache, private",
    "content-type": type,
    ...(warning.length > 0 && { warning }),
  };
}

function textOf(resource: Resource, result: SingleResult): string {
  switch (result.type) {
    case "object":
      return objectText(resource, result.version);
    case "value":
      return writeJson(result.value);
  }
}

function* formatted(json: string, { encoding, pretty }: OutputFormat): Steps<string> {
  if (encoding === "yaml") {
    const value = parseStored(json);
    yield;
    return yield* yamlSteps(value);
  }
  if (pretty) {
    const value: unknown = JSON.parse(json);
    yield;
    return JSON.stringify(value, undefined, 2);
  }
  return json.endsWith("\n") ? json : `${json}\n`;
}

function contentType({ encoding }: OutputFormat): string {
  return encoding === "yaml" ? "application/yaml" : "application/json";
}
