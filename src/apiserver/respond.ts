import type { KubeObject } from "../api/index.ts";
import { runAtOnce, type Steps, TimeSlice, uuid } from "../base/index.ts";
import { callTransformer } from "./call-transformer.ts";
import { parseStored } from "./document.ts";
import type { Call, Engine } from "./engine.ts";
import type { ServerRequest, ServerResponse } from "./exchange.ts";
import { listBody, type WrittenList } from "./list-body.ts";
import { errorFormat, type OutputFormat } from "./negotiation.ts";
import { apiVersionOf, itemParts, type ObjectVersion, objectText, versionObject } from "./object-text.ts";
import type { Resource } from "./resource.ts";
import type { StatusError } from "./status-error.ts";
import type { ListResult, VerbResult } from "./verb-result.ts";
import type { Warnings } from "./warnings.ts";
import { writeJson } from "./write-json.ts";
import { yamlSteps } from "./yaml-writer.ts";

/** An answer in the format that was asked for. */
export async function respond(engine: Engine, call: Call, answer: VerbResult): Promise<ServerResponse> {
  const { format, warnings } = call;
  switch (answer.type) {
    case "stream": {
      const headers = headersOf(engine, { type: "application/json", warnings });
      return { type: "stream", status: 200, headers, start: answer.start };
    }
    case "text": {
      const headers = headersOf(engine, { type: "text/plain", warnings });
      if (answer.text !== undefined) return { type: "buffered", status: 200, headers, body: answer.text };
      const { "content-type": _, ...others } = headers;
      return { type: "buffered", status: 204, headers: others, body: "" };
    }
    default: {
      const body =
        answer.type === "list"
          ? await listBody(engine.clock, writtenList(engine, call, answer), format)
          : await new TimeSlice(engine.clock).run(objectBody(engine, call, answer));
      const headers = headersOf(engine, { type: contentType(format), warnings });
      const status = answer.type === "list" ? 200 : answer.code;
      return { type: "buffered", status, headers, body, compressible: true };
    }
  }
}

function* objectBody(engine: Engine, call: Call, answer: SingleResult): Steps<string> {
  const { format, resource } = call;
  const json = format.as ? shownText(engine, call, answer) : textOf(resource, answer);
  yield;
  return yield* formatted(json, format);
}

type SingleResult = Exclude<VerbResult, { type: "stream" } | { type: "text" } | { type: "list" }>;

/** A list as it is shown, with items whose parsing is left until they are written. */
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

/** As a Table, or as metadata alone. What is no object of a kind, as a Status, stays what it is. */
function shownText(engine: Engine, call: Call, answer: SingleResult): string {
  if (
    answer.type === "plain" &&
    !("metadata" in answer.value && "name" in (answer.value.metadata as object))
  ) {
    return writeJson(answer.value);
  }
  const view = callTransformer(engine, call);
  // What is plain and has a name is an object, as a scale is.
  const object =
    answer.type === "plain" ? (answer.value as KubeObject) : versionObject(call.resource, answer.version);
  return writeJson(view.object(object));
}

/** A refusal, as a Status. */
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

function textOf(resource: Resource, answer: SingleResult): string {
  switch (answer.type) {
    case "object":
      return objectText(resource, answer.version);
    case "plain":
      return writeJson(answer.value);
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
