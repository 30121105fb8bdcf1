import type { Status } from "../../api/index.ts";
import type { BufferedServerResponse } from "../types/exchange.ts";
import type { RefusalCode, RequestFault } from "./fault-rule.ts";

/** Returns an error response as an overloaded or failing server sends it. */
export function errorResponse({ code, retryAfterSeconds }: RefuseFault): BufferedServerResponse {
  const seconds = retryAfterSeconds ?? (code === 429 ? 1 : false);
  const retryAfter = seconds === false ? {} : { "retry-after": String(seconds) };
  const { type, body } = code === 429 ? tooMany : statusOf(code, seconds);
  return { type: "buffered", status: code, headers: { "content-type": type, ...retryAfter }, body };
}

type RefuseFault = Extract<RequestFault, { type: "refuse" }>;

interface Body {
  readonly type: string;
  readonly body: string;
}

/** The plain text of a server that throttles requests. */
const tooMany: Body = {
  type: "text/plain; charset=utf-8",
  body: "Too many requests, please try again later.\n",
};

const statuses: Readonly<Record<Exclude<RefusalCode, 429>, Pick<Status, "message" | "reason">>> = {
  500: { message: "Internal error occurred: injected fault", reason: "InternalError" },
  503: { message: "the server is currently unable to handle the request", reason: "ServiceUnavailable" },
  504: { message: "Timeout: request did not complete within the allotted timeout", reason: "Timeout" },
};

function statusOf(code: Exclude<RefusalCode, 429>, seconds: number | false): Body {
  const status: Status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    ...statuses[code],
    ...(seconds !== false && { details: { retryAfterSeconds: seconds } }),
    code,
  };
  return { type: "application/json", body: JSON.stringify(status) };
}
