import { Pod } from "trimtab/api/core/v1";
import { Denied, type Webhook, webhook } from "trimtab/webhook";

const annotation = "example-mutating-admission-webhook";

/** The mutating webhook: annotates every Pod. */
export const podAnnotator: Webhook<Pod> = webhook(Pod, {
  default(pod, { log }) {
    pod.metadata.annotations ??= {};
    pod.metadata.annotations[annotation] = "foo";
    log.info("Pod annotated");
  },
});

/** The validating webhook: allows only Pods with the annotation. */
export const podValidator: Webhook<Pod> = webhook(Pod, {
  validate({ object: { metadata } }) {
    const value = metadata.annotations?.[annotation];
    const field = `metadata.annotations[${annotation}]`;
    if (value === undefined) throw new Denied("is required", { field });
    if (value !== "foo") throw new Denied(`must be "foo", got ${JSON.stringify(value)}`, { field });
  },
});
