/**
 * Admission and conversion webhooks: what handlers get and return, the server that API servers call, its certificates,
 * and its registration.
 *
 * A *hook* is one path of the server with its entry in a webhook configuration. It guarantees that a patch contains
 * only what a handler changed, so that fields unknown to the types are never lost; that every review is answered or
 * refused with a clear error; and that an error of a handler never ends the server. The manager starts and stops it.
 *
 * @module
 */
export type { CertificateFilesOptions, GivenCertificateOptions, TlsFiles } from "../serving/index.ts";
export type { Admission, AdmissionContext, DeletionAdmission } from "./admission.ts";
export type {
  AdmissionDecision,
  AdmissionHook,
  HandlerResult,
  HookOptions,
  HookRule,
} from "./admission-hook.ts";
export type {
  AdmissionRequest,
  AdmissionResponse,
  AdmissionReview,
  AdmissionStatus,
  GroupVersionKind,
  GroupVersionResource,
  Operation,
} from "./admission-review.ts";
export type { Converter, ConvertibleKind } from "./conversion-review.ts";
export { Denied, type DeniedOptions, type FieldProblem } from "./denied.ts";
export { type RawWebhookOptions, rawWebhook } from "./raw-webhook.ts";
export { type ReviewInput, type ReviewResult, review } from "./review.ts";
export type { WebhookServerOptions, WebhookService } from "./server-options.ts";
export { type Webhook, type WebhookHandlers, type WebhookOptions, webhook } from "./webhook.ts";
