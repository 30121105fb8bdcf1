import type { ApiRequest, ApiResponse, Transport } from "../../src/transport/index.ts";
import { withoutExceptions } from "./exceptions.ts";
import { isObject, type Memory } from "./memory.ts";
import type { Json, JsonObject, Step } from "./script.ts";

/** What a server answered, without what another server would call differently. */
export interface Answer {
  /** `closed` where there was no answer. */
  readonly status: number;
  readonly headers: JsonObject;
  readonly body: Json;
}

/** The status of an answer that did not come: the server closed the connection instead. */
export const closed = 0;

/** Sends a step to one server, as that server calls things. */
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
  // Why it was closed is not told, and a server that is gone shows when the next namespace is made.
  return answer
    ? maskedAnswer(memory, pluralIn(step.path), answer)
    : { status: closed, headers: {}, body: "" };
}

/** The plural in "/apis/apps/v1/namespaces/{ns}/deployments/a?dryRun=All". */
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
  const answer = memory.masked(plural, parsed(body.toString()));
  return { status, headers: Object.fromEntries(shown), body: withoutExceptions(answer) };
}

/** The others say when, how long and which request it was. */
const comparedHeaders = ["content-type", "warning", "location", "retry-after", "allow"];

function parsed(body: string): Json {
  try {
    return JSON.parse(body) as Json;
  } catch {
    // No JSON: compared as text.
    return body;
  }
}
