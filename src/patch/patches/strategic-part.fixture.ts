import type { AnyKind } from "../../api/index.ts";
import { Deployment } from "../../api/types/apps/v1.ts";
import { ConfigMap, Service } from "../../api/types/core/v1.ts";
import type { JsonObject } from "../../schema/index.ts";
import type { Outcome } from "./patch-case.fixture.ts";

/** A strategic merge patch of one part of an object, and its outcome in kube-apiserver. */
export interface StrategicCase {
  readonly title: string;
  readonly before: unknown;
  readonly patch: unknown;
  /** The part after the patch, or the failure. */
  readonly after: unknown;
}

/** The part of an object that a test is about, and the object around it. */
export interface Part {
  readonly kind: AnyKind;
  around(part: unknown): JsonObject;
}

export const configData: Part = { kind: ConfigMap, around: (data) => ({ data }) };
export const metadata: Part = { kind: ConfigMap, around: (part) => ({ metadata: part }) };
export const serviceSpec: Part = { kind: Service, around: (spec) => ({ spec }) };
export const deploymentSpec: Part = { kind: Deployment, around: (spec) => ({ spec }) };
export const podSpec: Part = { kind: Deployment, around: (spec) => ({ spec: { template: { spec } } }) };

/** The `after` of a patch that fails. */
export class Fails {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    this.outcome = outcome;
  }
}

export const failed = (message: string): Fails => new Fails({ failure: "failed", message });
export const malformed = (message: string): Fails => new Fails({ failure: "malformed", message });
