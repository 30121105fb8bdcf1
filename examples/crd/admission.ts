import { Denied, type Webhook, webhook } from "trimtab/webhook";
import { ChaosPod } from "./chaos-pod.ts";

/**
 * The Defaulter and Validator of ChaosPods: the first stop is one interval from now, and a stop cannot be set to the
 * past.
 *
 * @param now Returns the time in milliseconds since 1970.
 */
export function chaosPodAdmission(now: () => number = Date.now): Webhook<ChaosPod> {
  return webhook(ChaosPod, {
    default({ spec }) {
      spec.nextStop ??= new Date(now() + spec.everySeconds * 1000).toISOString();
    },
    validate({ object: { spec }, previous, warn }) {
      const { nextStop, everySeconds } = spec;
      // Other changes of a ChaosPod stay possible when its stop is due.
      const changed = nextStop !== previous?.spec.nextStop;
      if (changed && nextStop !== undefined && Date.parse(nextStop) <= now()) {
        throw new Denied(`must be in the future, got ${nextStop}`, { field: "spec.nextStop", code: 422 });
      }
      if (everySeconds < 5) warn(`spec.everySeconds: the Pod restarts every ${everySeconds} seconds`);
    },
  });
}
