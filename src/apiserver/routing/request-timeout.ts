import { goQuoted } from "../../schema/index.ts";
import { badRequest } from "../types/status-error.ts";

/** Throws a `StatusError` if the `timeout` parameter is not a Go duration, such as "1m30s". */
export function checkTimeout(query: URLSearchParams): void {
  const problem = durationProblem(query.get("timeout") || "0");
  if (problem) throw badRequest(`invalid timeout specified in the request URL - time: ${problem}`);
}

/** Returns Go's error for a text that is not a duration, or `undefined`. */
function durationProblem(text: string): string | undefined {
  const unsigned = text.replace(/^[-+]/, "");
  if (unsigned === "0") return undefined;
  const wrong = unsigned.replace(/^((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+/, "");
  if (unsigned !== "" && wrong === "") return undefined;
  const [number, unit = ""] = /^(?:\d+\.?\d*|\.\d+)([^\d.]*)/.exec(wrong) ?? [];
  if (number === undefined) return `invalid duration ${goQuoted(text)}`;
  return unit === ""
    ? `missing unit in duration ${goQuoted(text)}`
    : `unknown unit ${goQuoted(unit)} in duration ${goQuoted(text)}`;
}
