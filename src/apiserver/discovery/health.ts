import type { ServerResponse } from "../types/exchange.ts";
import { pageNotFound, textResponse, uncachedResponse } from "./documents.ts";
import type { HealthCheck, PathContext, PathRequest } from "./path-handler.ts";

/** Serves `/healthz`, `/livez`, `/readyz` and their single checks: `/livez/ping`. */
export function serveHealth({ request, parts: [endpoint = "", name], context }: PathRequest): ServerResponse {
  const checks = checksOf(context, endpoint);
  if (name !== undefined) return checkResponse(checks.find((check) => check.name === name));
  const excluded = new Set(request.query.getAll("exclude"));
  const failing = checks.filter((check) => !excluded.has(check.name) && !check.healthy());
  const lines = [
    ...checks.map((check) => lineOf(check, { excluded, failing })),
    ...warningOf(checks, excluded),
  ];
  if (failing.length > 0) return textResponse(`${lines.join("\n")}\n${endpoint} check failed\n`, 500);
  return textResponse(
    request.query.has("verbose") ? `${lines.join("\n")}\n${endpoint} check passed\n` : "ok",
  );
}

/** Returns the checks of an endpoint. `ping` always passes. */
export function checksOf({ checks = [] }: PathContext, endpoint: string): HealthCheck[] {
  return [ping, ...checks.filter(({ readiness }) => endpoint === "readyz" || !readiness)];
}

const ping: HealthCheck = { name: "ping", healthy: () => true };

function checkResponse(check: HealthCheck | undefined): ServerResponse {
  if (!check) return pageNotFound();
  if (check.healthy()) return uncachedResponse("ok", { type: "text/plain; charset=utf-8" });
  return textResponse(`internal server error: ${check.name} is not healthy\n`, 500);
}

interface Outcome {
  readonly excluded: ReadonlySet<string>;
  readonly failing: readonly HealthCheck[];
}

function lineOf(check: HealthCheck, { excluded, failing }: Outcome): string {
  if (excluded.has(check.name)) return `[+]${check.name} excluded: ok`;
  return failing.includes(check) ? `[-]${check.name} failed: reason withheld` : `[+]${check.name} ok`;
}

function warningOf(checks: readonly HealthCheck[], excluded: ReadonlySet<string>): string[] {
  const unknown = [...excluded].filter((name) => !checks.some((check) => check.name === name)).sort();
  if (unknown.length === 0) return [];
  const names = unknown.map((name) => JSON.stringify(name)).join(",");
  return [`warn: some health checks cannot be excluded: no matches for ${names}`];
}
