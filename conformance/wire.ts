import type { Client } from "trimtab/client";

export interface WireRequest {
  /** Text is sent as it is, everything else as JSON. @default none */
  readonly body?: unknown;
  /** More headers, or other ones; names in lower case. @default what the body needs, and `accept: application/json` */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  /** The text as JSON. */
  readonly body: unknown;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";

/** Sends one request, `"PATCH /api/v1/nodes/a"`, and takes the answer whatever it is. */
export async function wire(
  { transport }: Client,
  line: `${Method} /${string}`,
  { body, headers = {} }: WireRequest = {},
): Promise<WireAnswer> {
  const [method = "", path = ""] = line.split(" ", 2);
  const type = body !== undefined && { "content-type": patchTypes[method] ?? "application/json" };
  const answer = await transport.send({
    // The line's type has seen to it.
    method: method as Method,
    path,
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    headers: { accept: "application/json", ...type, ...headers },
  });
  const text = answer.body.toString();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    get body() {
      return JSON.parse(text);
    },
  };
}

const patchTypes: Readonly<Record<string, string | undefined>> = { PATCH: "application/merge-patch+json" };

/** What a server says against a request: its code, and the message of its Status. */
export function saying({ status, body }: WireAnswer): readonly [number, string] {
  return [status, (body as { message: string }).message];
}

/** The texts of an answer's `Warning` headers. */
export function warningsOf({ headers: { warning = [] } }: Pick<WireAnswer, "headers">): string[] {
  return [warning]
    .flat()
    .map((header) => header.replace(/^299 - "(.*)"$/, "$1").replaceAll(/\\(["\\])/g, "$1"));
}
