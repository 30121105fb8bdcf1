import type { AnyKind } from "../api/index.ts";
import { Deployment } from "../api/types/apps/v1.ts";
import { ConfigMap, Service } from "../api/types/core/v1.ts";
import type { JsonObject } from "../schema/index.ts";
import type { Outcome } from "./patch-case.fixture.ts";

/** What a real API server makes of a strategic merge patch of one part of an object. */
export interface StrategicCase {
  readonly title: string;
  readonly before: unknown;
  readonly patch: unknown;
  /** What the part is after it, or how the patch fails. */
  readonly after: unknown;
}

/** A part of an object, as tests are about it, and the object around. */
export interface Part {
  readonly kind: AnyKind;
  around(part: unknown): JsonObject;
}

export const configData: Part = { kind: ConfigMap, around: (data) => ({ data }) };
export const metadata: Part = { kind: ConfigMap, around: (part) => ({ metadata: part }) };
export const serviceSpec: Part = { kind: Service, around: (spec) => ({ spec }) };
export const deploymentSpec: Part = { kind: Deployment, around: (spec) => ({ spec }) };
export const podSpec: Part = { kind: Deployment, around: (spec) => ({ spec: { template: { spec } } }) };

/** An `after` of a patch that fails. */
export class Fails {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    this.outcome = outcome;
  }
}

export const failed = (message: string): Fails => new Fails({ failure: "failed", message });
export const malformed = (message: string): Fails => new Fails({ failure: "malformed", message });
