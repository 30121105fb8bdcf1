import type { Status, Unstructured } from "../api/index.ts";
import type { UserInfo } from "../api/types/authentication/v1.ts";

/** The operations that webhooks are called for. */
export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** The request of an AdmissionReview, of admission.k8s.io/v1 and v1beta1 alike. */
export interface AdmissionRequest {
  /** Identifies the review. The response repeats it. */
  readonly uid: string;
  /** The kind of `object`, in the version that the webhook is registered for. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string | undefined;
  /** The kind of the original request, if the object was converted for this webhook. */
  readonly requestKind?: GroupVersionKind | undefined;
  readonly requestResource?: GroupVersionResource | undefined;
  readonly requestSubResource?: string | undefined;
  /** Empty on a create with `generateName`. */
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly operation: Operation;
  readonly userInfo: UserInfo;
  /** The new object. Absent on DELETE. */
  readonly object?: Unstructured | undefined;
  /** The existing object. Only on UPDATE and DELETE. */
  readonly oldObject?: Unstructured | undefined;
  /** True if nothing will be stored: the handler must not have side effects. */
  readonly dryRun?: boolean | undefined;
  /** The options of the request, such as `CreateOptions`. */
  readonly options?: Unstructured | undefined;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The `Status` of a response: without apiVersion and kind, and with a code only if the request is allowed. */
export type AdmissionStatus = Partial<Omit<Status, "apiVersion" | "kind">>;

/** The response of an AdmissionReview. */
export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: AdmissionStatus | undefined;
  /** A JSON patch in base64. */
  readonly patch?: string | undefined;
  readonly patchType?: "JSONPatch" | undefined;
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
  readonly warnings?: readonly string[] | undefined;
}

/** A response to a review, in the version of the review. */
export interface AdmissionReview {
  readonly apiVersion: string;
  readonly kind: "AdmissionReview";
  readonly response: AdmissionResponse;
}
