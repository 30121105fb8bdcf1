import type { Unstructured } from "../api/index.ts";
import { asError, unreachable } from "../base/index.ts";
import type { JsonPatchStep } from "../client/index.ts";
import type { AdmissionDecision, AdmissionHook } from "./admission-hook.ts";
import type { AdmissionResponse, AdmissionReview, AdmissionStatus } from "./admission-review.ts";
import { Denied } from "./denied.ts";
import { checkExactNumbers } from "./exact-numbers.ts";
import { jsonDifference } from "./json-difference.ts";
import { parseAdmissionReview } from "./parse-review.ts";
import { ReviewError } from "./review-error.ts";
import { type HandlerEnvironment, RunningAdmission } from "./running-admission.ts";
import { type ReviewLimits, withinTime } from "./within-time.ts";

/** One call of a hook. */
export interface ReviewOptions extends HandlerEnvironment, ReviewLimits {}

/**
 * Answers an AdmissionReview, in the version in which it came. An error of the handler is a denial with 500, and is
 * logged.
 *
 * @throws {ReviewError} 400 if the review is invalid or not for this hook; 504 if the handler takes too long
 */
export async function reviewAdmission(
  hook: AdmissionHook,
  text: string,
  options: ReviewOptions,
): Promise<AdmissionReview> {
  const { apiVersion, request } = parseAdmissionReview(text);
  const admission = new RunningAdmission(hook.name, request, options);
  const original = (): unknown => originalObject(text);
  const response = await withinTime(decide(hook, admission, original), options, {
    what: "handler",
    onTimeout: () => admission.log.error("webhook handler timed out", { timeoutMs: options.timeoutMs }),
    onStopped: (error) => admission.abort(error),
  });
  return { apiVersion, kind: "AdmissionReview", response };
}

/** Returns the object of a review once more, without the changes of the handler. */
function originalObject(text: string): unknown {
  const { request } = JSON.parse(text) as { request: { object?: Unstructured } }; // it was parsed before
  return request.object;
}

/**
 * Calls a hook and returns the response.
 *
 * @param original Returns the object before the handler has changed it.
 * @throws {ReviewError} if the request is not one for this hook
 */
export async function decide(
  hook: AdmissionHook,
  admission: RunningAdmission,
  original: () => unknown,
): Promise<AdmissionResponse> {
  try {
    const decision = (await hook.admit(admission)) ?? allowed;
    return respond(admission, decision, patchOf(hook, decision, original));
  } catch (thrown) {
    const error = asError(thrown); // anything can be thrown, also values that cannot be read
    if (error instanceof ReviewError) throw error;
    return error instanceof Denied ? deny(admission, error.toStatus()) : fail(admission, error);
  }
}

const allowed: AdmissionDecision = { allowed: true };

/** Returns the patch of a decision: empty if nothing changes. */
function patchOf(
  { type }: AdmissionHook,
  decision: AdmissionDecision,
  original: () => unknown,
): readonly JsonPatchStep[] {
  if (!decision.allowed) return [];
  const { object, patch } = decision;
  if (type === "validating" && (object || patch)) {
    throw new Error(
      "expected a validating webhook to return no object and no patch, got one; its type must be mutating",
    );
  }
  const steps = patch ?? (object ? jsonDifference(original(), object) : []);
  checkExactNumbers(steps);
  return steps;
}

function respond(
  admission: RunningAdmission,
  decision: AdmissionDecision,
  steps: readonly JsonPatchStep[],
): AdmissionResponse {
  switch (decision.allowed) {
    case true:
      return {
        ...common(admission),
        allowed: true,
        status: { code: 200 },
        ...(steps.length > 0 && {
          patch: Buffer.from(JSON.stringify(steps)).toString("base64"),
          patchType: "JSONPatch",
        }),
      };
    case false: {
      const { message, problems = [], ...options } = decision;
      const denied = new Denied(problems.length > 0 ? problems : message, options);
      return deny(admission, { ...denied.toStatus(), message });
    }
    default:
      return unreachable(decision);
  }
}

function deny(admission: RunningAdmission, status: AdmissionStatus): AdmissionResponse {
  return { ...common(admission), allowed: false, status };
}

/** Denies a request because the handler failed. The log has the position in the program's own code. */
function fail(admission: RunningAdmission, error: Error): AdmissionResponse {
  admission.failed(error);
  const message = error.message || error.name;
  return deny(admission, { metadata: {}, status: "Failure", message, reason: "InternalError", code: 500 });
}

function common({
  uid,
  warnings,
  annotations,
}: RunningAdmission): Pick<AdmissionResponse, "uid" | "warnings"> {
  return {
    uid,
    ...(warnings.length > 0 && { warnings: [...warnings] }),
    ...(annotations.size > 0 && { auditAnnotations: Object.fromEntries(annotations) }),
  };
}
