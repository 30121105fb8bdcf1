import type { Status } from "../../api/index.ts";
import { type Clock, type Rng, uuid } from "../../base/index.ts";
import { badRequest, internal, requestTimeout, StatusError } from "../types/status-error.ts";
import { WebhookCallError } from "../webhooks/call-error.ts";
import type { WebhookClient } from "../webhooks/webhook-client.ts";
import {
  type RawReview,
  type ReviewResponse,
  type ReviewVersion,
  rawReview,
  readResponse,
  reviewText,
  reviewVersion,
} from "./admission-review.ts";
import type { AdmissionAttributes } from "./attributes.ts";
import type { Invocation } from "./invocation.ts";

export interface Caller {
  readonly client: WebhookClient;
  readonly clock: Clock;
  readonly rng: Rng;
}

/** Thrown if a webhook cannot be called, or does not answer with a review. Its failure policy decides what follows. */
export class WebhookFailure extends Error {
  override readonly name: string = "WebhookFailure";
}

/**
 * Calls a webhook. Returns its response, which allows the write. Throws a `StatusError` if it denies the write, and a
 * `WebhookFailure` if there is no valid response.
 */
export async function callWebhook(
  caller: Caller,
  invocation: Invocation,
  { attributes, mutating }: { readonly attributes: AdmissionAttributes; readonly mutating: boolean },
): Promise<ReviewResponse> {
  const { name, sideEffects, admissionReviewVersions } = invocation.webhook;
  if (attributes.dryRun && sideEffects !== "None" && sideEffects !== "NoneOnDryRun")
    throw badRequest(`admission webhook "${name}" does not support dry run`);
  const version = reviewVersion(admissionReviewVersions);
  if (!version)
    throw failure(
      name,
      "could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)",
    );
  const uid = uuid(caller.rng);
  const body = reviewText({ uid, version, invocation, attributes });
  const answer = await post(caller, invocation, { attributes, body, version });
  const response = checked(name, () => readResponse(answer, { uid, version, mutating }));
  for (const warning of response.warnings) attributes.warnings.add(warning);
  if (!response.allowed) throw denial(name, response.result);
  return response;
}

interface Review {
  readonly attributes: AdmissionAttributes;
  readonly body: string;
  readonly version: ReviewVersion;
}

async function post(
  { client, clock }: Caller,
  { webhook }: Invocation,
  { attributes, body, version }: Review,
): Promise<RawReview> {
  const { signal, endsAtMs } = attributes;
  const leftMs = endsAtMs - clock.monotonic();
  if (leftMs <= 0) throw requestTimeout();
  const timeoutMs = Math.min((webhook.timeoutSeconds ?? 10) * 1000, leftMs);
  try {
    const review = { group: "admission.k8s.io", version, kind: "AdmissionReview" } as const;
    return rawReview(await client.post(webhook.clientConfig, { body, timeoutMs, signal, review }));
  } catch (error) {
    if (clock.monotonic() >= endsAtMs) throw requestTimeout();
    if (error instanceof WebhookCallError)
      throw failure(webhook.name, `failed to call webhook: ${error.message}`);
    throw error;
  }
}

function checked(name: string, read: () => ReviewResponse): ReviewResponse {
  try {
    return read();
  } catch (error) {
    if (error instanceof WebhookCallError)
      throw failure(name, `received invalid webhook response: ${error.message}`);
    throw error;
  }
}

/** Creates the failure of a call. */
export function failure(name: string, why: string): WebhookFailure {
  return new WebhookFailure(`failed calling webhook "${name}": ${why}`);
}

/** Ignores the failure of a webhook whose policy is `Ignore`. Throws a 500 for others, and other errors unchanged. */
export function handleFailure({ webhook }: Invocation, error: unknown): void {
  if (!(error instanceof WebhookFailure)) throw error;
  if (webhook.failurePolicy !== "Ignore") throw internal(error.message);
}

/** Creates the error of a write that a webhook denies. */
function denial(name: string, result: Partial<Status> = {}): StatusError {
  const { code = 0, reason = "", message = "", details } = result;
  const why = message || reason;
  const denied = `admission webhook "${name}" denied the request`;
  return new StatusError(Math.max(code, 400), reason, {
    message: why === "" ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(details && { details }),
  });
}
