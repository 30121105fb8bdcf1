import type { ServerResponse } from "../exchange.ts";
import { pageNotFound, plain, textAnswer } from "./documents.ts";
import type { FaceContext, HealthCheck, Visit } from "./path-handler.ts";

/** `/healthz`, `/livez`, `/readyz`, and one check of each: `/livez/ping`. */
export function healthFace({ request, parts: [endpoint = "", name], context }: Visit): ServerResponse {
  const checks = checksOf(context, endpoint);
  if (name !== undefined) return singleAnswer(checks.find((check) => check.name === name));
  const excluded = new Set(request.query.getAll("exclude"));
  const failing = checks.filter((check) => !excluded.has(check.name) && !check.healthy());
  const lines = [
    ...checks.map((check) => lineOf(check, { excluded, failing })),
    ...warningOf(checks, excluded),
  ];
  if (failing.length > 0) return textAnswer(`${lines.join("\n")}\n${endpoint} check failed\n`, 500);
  return textAnswer(request.query.has("verbose") ? `${lines.join("\n")}\n${endpoint} check passed\n` : "ok");
}

/** All that `endpoint` asks. Who answers is alive. */
export function checksOf({ checks = [] }: FaceContext, endpoint: string): HealthCheck[] {
  return [ping, ...checks.filter(({ readiness }) => endpoint === "readyz" || !readiness)];
}

const ping: HealthCheck = { name: "ping", healthy: () => true };

function singleAnswer(check: HealthCheck | undefined): ServerResponse {
  if (!check) return pageNotFound();
  if (check.healthy()) return plain("ok", { type: "text/plain; charset=utf-8" });
  return textAnswer(`internal server error: ${check.name} is not healthy\n`, 500);
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
