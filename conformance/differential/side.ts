import { parse } from "yaml";
import type { ApiRequest, ApiResponse, Transport } from "../../src/transport/index.ts";
import { withoutExceptions } from "./exceptions.ts";
import { isObject, type Memory } from "./memory.ts";
import type { Json, JsonObject, Step } from "./script.ts";

/** A response of a server, with server-specific values masked. */
export interface Answer {
  /** `closed` if the server closed the connection. */
  readonly status: number;
  readonly headers: JsonObject;
  readonly body: Json;
}

/** The status for a connection that was closed without a response. */
export const closed = 0;

/** Sends a step to one server, with that server's values. */
export async function send(transport: Transport, memory: Memory, step: Step): Promise<Answer> {
  const { method, type = "application/json", accept = "application/json" } = step;
  const body = bodyOf(memory, step);
  const request: ApiRequest = {
    method,
    path: memory.fill(step.path),
    headers: {
      accept,
      "user-agent": "differential/1",
      ...(body !== undefined && { "content-type": type }),
    },
    body,
  };
  const answer = await transport.send(request).catch(() => undefined);
  // The reason is unknown. A stopped server fails when the next namespace is created.
  return answer
    ? maskedAnswer(memory, pluralIn(step.path), answer)
    : { status: closed, headers: {}, body: "" };
}

/** Returns the plural of "/apis/apps/v1/namespaces/{ns}/deployments/a?dryRun=All". */
function pluralIn(path: string): string {
  return /\/namespaces\/[^/]+\/([^/?]+)/.exec(path)?.[1] ?? "";
}

function bodyOf(memory: Memory, { body, over }: Step): string | undefined {
  if (over !== undefined) return memory.fill(JSON.stringify(laidOver(memory.object(over) ?? {}, body ?? {})));
  if (body === undefined) return undefined;
  return memory.fill(typeof body === "string" ? body : JSON.stringify(body));
}

function laidOver(object: Json, change: Json): Json {
  if (!isObject(change)) return change;
  const fields = new Map(Object.entries(isObject(object) ? object : {}));
  for (const [name, field] of Object.entries(change)) {
    if (field === null) fields.delete(name);
    else fields.set(name, laidOver(fields.get(name) ?? {}, field));
  }
  return Object.fromEntries(fields);
}

function maskedAnswer(memory: Memory, plural: string, { status, headers, body }: ApiResponse): Answer {
  const shown = comparedHeaders.flatMap((name): [string, Json][] => {
    const value = headers[name];
    return value === undefined ? [] : [[name, memory.masked("", [value].flat())]];
  });
  const answer = memory.masked(plural, parsed(body.toString(), headers["content-type"]));
  return { status, headers: Object.fromEntries(shown), body: withoutExceptions(answer) };
}

/** Headers to compare. The others contain times and request ids. */
const comparedHeaders = ["content-type", "warning", "location", "retry-after", "allow"];

function parsed(body: string, type: unknown): Json {
  try {
    return type === "application/yaml" ? (parse(body) as Json) : (JSON.parse(body) as Json);
  } catch {
    // The body is neither JSON nor YAML and is compared as text.
    return body;
  }
}
