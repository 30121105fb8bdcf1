import type { DeepReadonly, LabelSelector, Unstructured } from "../api/index.ts";
import type { MatchCondition } from "../api/types/admissionregistration/v1.ts";
import type { JsonPatchStep } from "../client/index.ts";
import type { Admission } from "./admission.ts";
import type { Operation } from "./admission-review.ts";
import type { FieldProblem } from "./denied.ts";

/** Options of a webhook that its registration contains. */
export interface HookOptions {
  /** Behaviour of the API server if the webhook cannot be called or times out. @default "Fail" */
  readonly failurePolicy?: "Fail" | "Ignore" | undefined;
  /** Time that the API server waits, from 1 to 30 seconds. @default 10 */
  readonly timeoutSeconds?: number | undefined;
  /**
   * "Equivalent" also calls the webhook for other versions of the kind, with converted objects. @default "Equivalent"
   */
  readonly matchPolicy?: "Equivalent" | "Exact" | undefined;
  /**
   * Namespaces of the objects.
   * @default every namespace for kinds of `defineResource` and with failure policy Ignore. For other kinds, all but
   * kube-system and the namespace of the server's Service: a webhook that is down must not prevent its own Pods from
   * starting.
   */
  readonly namespaceSelector?: DeepReadonly<LabelSelector> | undefined;
  /** Labels of the objects, before or after the change. @default every object */
  readonly objectSelector?: DeepReadonly<LabelSelector> | undefined;
  /** CEL expressions that must all be true. @default none */
  readonly matchConditions?: readonly Readonly<MatchCondition>[] | undefined;
  /** "IfNeeded" calls a mutating webhook again if a later one has changed the object. @default "Never" */
  readonly reinvocationPolicy?: "IfNeeded" | "Never" | undefined;
  /** Declares whether handlers write elsewhere. "Some" excludes dry runs. @default "None" */
  readonly sideEffects?: "None" | "NoneOnDryRun" | "Some" | undefined;
}

/** The resources and operations that a webhook is called for. */
export interface HookRule {
  readonly operations: readonly (Operation | "*")[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  /** Plural names: `pods`, `pods/status`, `*`. */
  readonly resources: readonly string[];
  /** @default "*" */
  readonly scope?: "*" | "Cluster" | "Namespaced" | undefined;
}

/** The result of a handler. Nothing means that the request is allowed unchanged. */
export type AdmissionDecision =
  | {
      readonly allowed: true;
      /** The changed object. The patch is computed from it. Only of mutating webhooks. */
      readonly object?: object | undefined;
      /** Only of mutating webhooks, and instead of `object`. */
      readonly patch?: readonly JsonPatchStep[] | undefined;
    }
  | {
      readonly allowed: false;
      readonly message: string;
      /** @default 403 */
      readonly code?: number | undefined;
      /** @default the one of the code: "Forbidden" */
      readonly reason?: string | undefined;
      /** @default none */
      readonly problems?: readonly FieldProblem[] | undefined;
    };

/** The result of a handler, synchronous or not. */
export type HandlerResult = AdmissionDecision | void | Promise<AdmissionDecision | undefined> | Promise<void>;

/** One path of the server and its entry in a webhook configuration. */
export interface AdmissionHook {
  readonly type: "mutating" | "validating";
  /** The name in the configuration and in messages of the API server: at least three parts with dots between them. */
  readonly name: string;
  readonly path: string;
  readonly rules: readonly HookRule[];
  readonly options: HookOptions;
  /** True if the hook is for a kind that `defineResource` declared in this program. */
  readonly definedHere: boolean;
  /** Calls the handler. Denies by throwing `Denied`. Throws a `ReviewError` if the request is not one for this hook. */
  admit(admission: Admission<Unstructured>): HandlerResult;
}
