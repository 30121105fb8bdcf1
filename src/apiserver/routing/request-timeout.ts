import { goQuoted } from "../../schema/index.ts";
import { badRequest } from "../types/status-error.ts";

/** Throws a `StatusError` if the `timeout` parameter is not a Go duration, such as "1m30s". */
export function checkTimeout(query: URLSearchParams): void {
  const problem = durationProblem(query.get("timeout") || "0");
  if (problem) throw badRequest(`invalid timeout specified in the request URL - time: ${problem}`);
}

/** A write ends after this time. */
const maxWriteMs = 34_000;

/** Returns the time that a write may take in milliseconds. `checkTimeout` has checked the `timeout` parameter. */
export function writeTimeoutMs(query: URLSearchParams): number {
  const requestedMs = durationMs(query.get("timeout") ?? "");
  return requestedMs > 0 ? Math.min(requestedMs, maxWriteMs) : maxWriteMs;
}

function durationMs(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)];
  return parts.reduce((sum, [, number = "0", unit = "s"]) => sum + Number(number) * (unitMs[unit] ?? 0), 0);
}

const unitMs: Readonly<Record<string, number | undefined>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Returns Go's error for a text that is not a duration, or `undefined`. */
function durationProblem(text: string): string | undefined {
  const unsigned = text.replace(/^[-+]/, "");
  if (unsigned === "0") return undefined;
  const wrong = unsigned.replace(/^((\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+/, "");
  if (unsigned !== "" && wrong === "") return undefined;
  const [number, unit = ""] = /^(?:\d+(?:\.\d*)?|\.\d+)([^\d.]*)/.exec(wrong) ?? [];
  if (number === undefined) return `invalid duration ${goQuoted(text)}`;
  return unit === ""
    ? `missing unit in duration ${goQuoted(text)}`
    : `unknown unit ${goQuoted(unit)} in duration ${goQuoted(text)}`;
}
