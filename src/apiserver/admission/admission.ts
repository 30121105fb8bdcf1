import type { KubeObject } from "../../api/index.ts";
import type { AdmissionContext } from "./admission-context.ts";
import type { AdmissionAttributes } from "./attributes.ts";
import { type Mutation, MutationRun } from "./mutation-run.ts";
import { runValidating } from "./validating.ts";
import { WebhookConfigurations } from "./webhook-configurations.ts";

/** The webhooks that admit writes: those of the stored configurations. A change of them applies to the next write. */
export class Admission implements Disposable {
  readonly #context: AdmissionContext;
  readonly #mutating: WebhookConfigurations;
  readonly #validating: WebhookConfigurations;

  constructor(context: AdmissionContext) {
    this.#context = context;
    this.#mutating = new WebhookConfigurations(context.storage, "mutatingwebhookconfigurations");
    this.#validating = new WebhookConfigurations(context.storage, "validatingwebhookconfigurations");
  }

  /** Returns true if a mutating webhook may have to be called. */
  mutates({ kind }: Pick<AdmissionAttributes, "kind">): boolean {
    return this.#mutating.webhooks.length > 0 && !isExempt(kind);
  }

  /** Returns true if a validating webhook may have to be called. */
  validates({ kind }: Pick<AdmissionAttributes, "kind">): boolean {
    return this.#validating.webhooks.length > 0 && !isExempt(kind);
  }

  /** Calls the mutating webhooks one after another. Returns the object with their changes. */
  async mutate(attributes: AdmissionAttributes, mutation: Mutation): Promise<KubeObject | undefined> {
    return new MutationRun(this.#context, this.#mutating.webhooks, { attributes, mutation }).run();
  }

  /** Calls the validating webhooks in parallel. Throws the first error. */
  async validate(attributes: AdmissionAttributes): Promise<void> {
    await runValidating(this.#context, this.#validating.webhooks, attributes);
  }

  [Symbol.dispose](): void {
    this.#mutating[Symbol.dispose]();
    this.#validating[Symbol.dispose]();
  }
}

/** Returns true for the kinds that configure admission. No webhook admits them, so that none can lock itself in. */
function isExempt({ group, kind }: AdmissionAttributes["kind"]): boolean {
  return group === "admissionregistration.k8s.io" && exempt.has(kind);
}

const exempt: ReadonlySet<string> = new Set([
  "ValidatingWebhookConfiguration",
  "MutatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
]);
