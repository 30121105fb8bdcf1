import type { Client } from "trimtab/client";
import { parse } from "yaml";

export interface WireRequest {
  /** Text and bytes are sent unchanged, other values as JSON. @default none */
  readonly body?: unknown;
  /**
   * Additional headers, with names in lower case. @default the content type of the body, and `accept: application/json`
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** The body parsed as JSON, or as YAML if that is its content type. */
  readonly body: unknown;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";

/** Sends one request, `"PATCH /api/v1/nodes/a"`, and returns any response. */
export async function wire(
  { transport }: Client,
  line: `${Method} /${string}`,
  { body, headers = {} }: WireRequest = {},
): Promise<WireAnswer> {
  const [method = "", path = ""] = line.split(" ", 2);
  const type = body !== undefined && { "content-type": patchTypes[method] ?? "application/json" };
  const response = await transport.send({
    // The type of the line guarantees this.
    method: method as Method,
    path,
    body:
      body === undefined || typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    headers: { accept: "application/json", ...type, ...headers },
  });
  const text = response.body.toString();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get body() {
      return response.headers["content-type"] === "application/yaml" ? parse(text) : JSON.parse(text);
    },
  };
}

const patchTypes: Readonly<Record<string, string | undefined>> = { PATCH: "application/merge-patch+json" };

/** Returns the code and the Status message of a failed request. */
export function statusMessage({ status, body }: WireAnswer): readonly [number, string] {
  return [status, (body as { message: string }).message];
}

/** Returns the texts of a response's `Warning` headers. */
export function warningsOf({ headers: { warning = [] } }: Pick<WireAnswer, "headers">): string[] {
  return [warning]
    .flat()
    .map((header) => header.replace(/^299 - "(.*)"$/, "$1").replaceAll(/\\(["\\])/g, "$1"));
}
