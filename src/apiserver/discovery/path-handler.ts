import type { Clock } from "../../base/index.ts";
import type { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import type { ServerRequest, ServerResponse } from "../types/exchange.ts";
import type { Served } from "./served.ts";

/** The parts of the server that non-resource paths need. */
export interface PathContext {
  /** The address of the server for clients: `127.0.0.1:6443`. */
  readonly address: string;
  readonly clock: Clock;
  /** Issues the tokens of service accounts. */
  readonly tokens: ServiceAccountTokens;
  /** Health checks besides `ping`. @default none */
  readonly checks?: readonly HealthCheck[] | undefined;
  /** Returns the body of `/metrics` in Prometheus format. @default `/metrics` is not served */
  readonly metrics?: (() => string | Promise<string>) | undefined;
}

/** A check that must pass for the server to be healthy. */
export interface HealthCheck {
  readonly name: string;
  healthy(): boolean;
  /** True if the check is part of `/readyz` only. @default false */
  readonly readiness?: boolean | undefined;
}

/** A request for a non-resource path. */
export interface PathRequest {
  readonly request: ServerRequest;
  /** The capture groups of the path pattern, decoded. */
  readonly parts: ReadonlyArray<string | undefined>;
  readonly served: Served;
  readonly context: PathContext;
}

/** Handles a request for a non-resource path. Throws a `StatusError` if the request is rejected. */
export type PathHandler = (request: PathRequest) => ServerResponse | Promise<ServerResponse>;
