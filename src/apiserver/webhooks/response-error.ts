import type { Status } from "../../api/index.ts";
import { goQuoted } from "../../schema/index.ts";

/** Returns the error that kube-apiserver reports for a response of a webhook with this status code. */
export function responseErrorText(code: number, body: Buffer, type: string): string {
  const text = body.toString();
  return statusMessage(text) ?? genericText(code, type.startsWith("text/") ? text.trim() : "unknown");
}

/** Returns the message of a failure that was sent as a Status. */
function statusMessage(text: string): string | undefined {
  try {
    const { kind, status, message } = JSON.parse(text) as Partial<Status>;
    return kind === "Status" && status === "Failure" ? message : undefined;
  } catch {
    // The body is not JSON, so it is no Status.
    return undefined;
  }
}

function genericText(code: number, text: string): string {
  const known = texts.get(code);
  if (known !== undefined) return known;
  if (code === 403 || code === 415) return text;
  if (code < 500)
    return `the server responded with the status code ${code} but did not return more information`;
  return `an error on the server (${goQuoted(text)}) has prevented the request from succeeding`;
}

const texts: ReadonlyMap<number, string> = new Map([
  [400, "the server rejected our request for an unknown reason"],
  [401, "the server has asked for the client to provide credentials"],
  [404, "the server could not find the requested resource"],
  [405, "the server does not allow this method on the requested resource"],
  [406, "the server was unable to respond with a content type that the client supports"],
  [409, "the server reported a conflict"],
  [422, "the server rejected our request due to an error in our request"],
  [429, "the server has received too many requests and has asked us to try again later"],
  [503, "the server is currently unable to handle the request"],
  [
    504,
    "the server was unable to return a response in the time allotted, but may still be processing the request",
  ],
]);
