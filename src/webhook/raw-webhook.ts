import type { Unstructured } from "../api/index.ts";
import type { AdmissionContext } from "./admission.ts";
import type { AdmissionHook, HandlerResult, HookOptions, HookRule } from "./admission-hook.ts";
import type { AdmissionRequest } from "./admission-review.ts";
import { checkHook } from "./check-hook.ts";
import type { Webhook } from "./webhook.ts";

export interface RawWebhookOptions extends HookOptions {
  /** "mutating" if it may change objects. */
  readonly type: "mutating" | "validating";
  /** The name in the configuration and in messages: at least three parts with dots between them. */
  readonly name: string;
  /** @default "/mutate-" or "/validate-" and the name with dashes */
  readonly path?: string | undefined;
  readonly rules: readonly HookRule[];
  /** Decides on a request. Returns nothing to allow it unchanged. May throw `Denied` as well. */
  admit(request: AdmissionRequest, context: AdmissionContext): HandlerResult;
}

/**
 * Describes an admission webhook for resources whose kinds are not known at compile time, and for CONNECT.
 *
 * ```ts
 * const labels = rawWebhook({
 *   type: "mutating",
 *   name: "labels.example.dev",
 *   rules: [{ operations: ["CREATE"], apiGroups: ["apps"], apiVersions: ["*"], resources: ["*"] }],
 *   admit({ object }) {
 *     if (!object) return;
 *     object.metadata.labels = { ...object.metadata.labels, team: "web" };
 *     return { allowed: true, object };
 *   },
 * });
 * ```
 */
export function rawWebhook(options: RawWebhookOptions): Webhook<Unstructured> {
  const { type, name, rules, admit, path, ...rest } = options;
  const hook: AdmissionHook = {
    type,
    name,
    path: path ?? `/${type === "mutating" ? "mutate" : "validate"}-${name.replaceAll(".", "-")}`,
    rules,
    options: rest,
    definedHere: false,
    admit: (admission) => admit(admission.request, admission),
  };
  checkHook(hook);
  return { hooks: [hook] };
}
