import type { Clock } from "../../base/index.ts";
import type { ServerRequest, ServerResponse } from "../exchange.ts";
import type { ServiceAccountTokens } from "../service-account-tokens.ts";
import type { Served } from "./served.ts";

/** What faces need to know of the server behind them. */
export interface FaceContext {
  /** Where clients reach it: `127.0.0.1:6443`. */
  readonly address: string;
  readonly clock: Clock;
  /** Who makes the tokens of service accounts. */
  readonly tokens: ServiceAccountTokens;
  /** What has to be well for the server to be. @default it answers, that is enough */
  readonly checks?: readonly HealthCheck[] | undefined;
  /** The text of `/metrics`, in Prometheus' format. @default there is no such path */
  readonly metrics?: (() => string | Promise<string>) | undefined;
}

/** Something that has to be well for the server to be. */
export interface HealthCheck {
  readonly name: string;
  healthy(): boolean;
  /** It only says whether requests are welcome: asked by `/readyz` alone. @default false */
  readonly readiness?: boolean | undefined;
}

/** A request for something else than objects. */
export interface Visit {
  readonly request: ServerRequest;
  /** What the pattern of the path picked out of it, decoded. */
  readonly parts: ReadonlyArray<string | undefined>;
  readonly served: Served;
  readonly context: FaceContext;
}

/** Answers a visit. Throws a `StatusError` where it refuses. */
export type Face = (visit: Visit) => ServerResponse | Promise<ServerResponse>;
