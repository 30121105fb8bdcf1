import { uuid } from "../base/index.ts";
import type { Answer, ListAnswer } from "./answer.ts";
import type { Call, Engine } from "./engine.ts";
import type { ServerRequest, ServerResponse } from "./exchange.ts";
import { errorFormat, type OutputFormat } from "./negotiation.ts";
import { apiVersionOf, itemText, objectText } from "./object-text.ts";
import type { Resource } from "./resource.ts";
import type { StatusError } from "./status-error.ts";
import type { Warnings } from "./warnings.ts";
import { writeJson } from "./write-json.ts";

/** An answer in the format that was asked for. */
export async function respond(engine: Engine, call: Call, answer: Answer): Promise<ServerResponse> {
  if (answer.type === "stream") {
    const headers = headersOf(engine, { type: "application/json", warnings: call.warnings });
    return { type: "stream", status: 200, headers, start: answer.start };
  }
  const code = answer.type === "list" ? 200 : answer.code;
  const headers = headersOf(engine, { type: contentType(call.format), warnings: call.warnings });
  return {
    type: "whole",
    status: code,
    headers,
    body: await formatted(textOf(call.resource, answer), call.format),
  };
}

/** A refusal, as a Status. */
export async function respondError(
  engine: Engine,
  request: ServerRequest,
  { error, warnings }: { readonly error: StatusError; readonly warnings?: Warnings | undefined },
): Promise<ServerResponse> {
  const format = errorFormat(request);
  const seconds = error.details?.retryAfterSeconds;
  const headers = {
    ...headersOf(engine, { type: contentType(format), warnings }),
    ...(seconds !== undefined && { "retry-after": String(seconds) }),
  };
  const body = await formatted(writeJson(error.toStatus()), format);
  return { type: "whole", status: error.code, headers, body };
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

function textOf(resource: Resource, answer: Exclude<Answer, { type: "stream" }>): string {
  switch (answer.type) {
    case "object":
      return objectText(resource, answer.version);
    case "list":
      return listText(resource, answer);
    case "plain":
      return writeJson(answer.value);
  }
}

function listText(resource: Resource, { metadata, items }: ListAnswer): string {
  const head = `{"kind":"${resource.listKind}","apiVersion":"${apiVersionOf(resource)}","metadata":${writeJson(metadata)}`;
  return `${head},"items":[${items.map((item) => itemText(resource, item)).join(",")}]}\n`;
}

async function formatted(json: string, { encoding, pretty }: OutputFormat): Promise<string> {
  if (encoding === "yaml") return (await import("yaml")).stringify(JSON.parse(json), { version: "1.1" });
  return pretty ? JSON.stringify(JSON.parse(json), undefined, 2) : json;
}

function contentType({ encoding }: OutputFormat): string {
  return encoding === "yaml" ? "application/yaml" : "application/json";
}
