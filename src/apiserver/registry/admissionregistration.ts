import type {
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from "../../api/types/admissionregistration/v1.ts";
import { equal, type FieldError, required } from "../../schema/index.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { requiredErrors } from "./value-errors.ts";
import { webhookErrors } from "./webhook-errors.ts";

const group = "admissionregistration.k8s.io";

export const admissionregistration: readonly KindEntry[] = [
  kindEntry<ValidatingWebhookConfiguration>(`${group}/ValidatingWebhookConfiguration`, {
    generation: ({ webhooks }, before) => !equal(webhooks, before.webhooks),
    unconditionalUpdate: false,
    default({ webhooks = [] }) {
      for (const webhook of webhooks) defaultWebhook(webhook);
    },
    validate: ({ webhooks = [] }) => webhookErrors(webhooks),
    warnings: ({ webhooks }) => conditionWarnings(webhooks),
  }),
  kindEntry<MutatingWebhookConfiguration>(`${group}/MutatingWebhookConfiguration`, {
    generation: ({ webhooks }, before) => !equal(webhooks, before.webhooks),
    unconditionalUpdate: false,
    default({ webhooks = [] }) {
      for (const webhook of webhooks) {
        defaultWebhook(webhook);
        webhook.reinvocationPolicy ??= "Never";
      }
    },
    validate: ({ webhooks = [] }) => webhookErrors(webhooks),
    warnings: ({ webhooks }) => conditionWarnings(webhooks),
  }),
  kindEntry<ValidatingAdmissionPolicy>(`${group}/ValidatingAdmissionPolicy`, {
    generation: "spec",
    unconditionalUpdate: false,
    statusKeeps: ["spec", "metadata"],
    default({ spec }) {
      if (!spec) return;
      spec.failurePolicy ??= "Fail";
      if (spec.matchConstraints) defaultMatch(spec.matchConstraints);
    },
    validate: ({ spec }) => [...matchErrors(spec?.matchConstraints), ...validationErrors(spec)],
    warnings: policyWarnings,
  }),
  kindEntry<ValidatingAdmissionPolicyBinding>(`${group}/ValidatingAdmissionPolicyBinding`, {
    generation: "spec",
    unconditionalUpdate: false,
    default: ({ spec }) => defaultMatch(spec?.matchResources),
    validate: ({ spec }) => [
      ...requiredErrors(spec?.policyName, "spec.policyName"),
      ...requiredErrors(
        spec?.validationActions,
        "spec.validationActions",
        "at least one validation action is required",
      ),
    ],
  }),
  kindEntry<MutatingAdmissionPolicy>(`${group}/MutatingAdmissionPolicy`, {
    generation: "spec",
    unconditionalUpdate: false,
    default({ spec }) {
      if (!spec) return;
      spec.failurePolicy ??= "Fail";
      defaultMatch(spec.matchConstraints);
    },
    validate: ({ spec }) => [
      ...matchErrors(spec?.matchConstraints),
      ...requiredErrors(spec?.mutations, "spec.mutations", "mutations must contain at least one item"),
      ...requiredErrors(spec?.reinvocationPolicy, "spec.reinvocationPolicy"),
    ],
    warnings: policyWarnings,
  }),
  kindEntry<MutatingAdmissionPolicyBinding>(`${group}/MutatingAdmissionPolicyBinding`, {
    generation: "spec",
    unconditionalUpdate: false,
    default: ({ spec }) => defaultMatch(spec?.matchResources),
    validate: ({ spec }) => requiredErrors(spec?.policyName, "spec.policyName"),
  }),
];

function conditionWarnings(webhooks: ReadonlyArray<MutatingWebhook | ValidatingWebhook> = []): string[] {
  return webhooks.flatMap(({ matchConditions = [] }, index) =>
    matchConditions.length === 0
      ? []
      : [
          `webhooks[${index}].matchConditions: this server does not evaluate match conditions, and calls the webhook without them`,
        ],
  );
}

function policyWarnings(): string[] {
  return ["this server stores admission policies but does not evaluate them"];
}

function defaultWebhook(webhook: ValidatingWebhook | MutatingWebhook): void {
  webhook.failurePolicy ??= "Fail";
  webhook.matchPolicy ??= "Equivalent";
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  if (webhook.clientConfig.service) webhook.clientConfig.service.port ??= 443;
  for (const rule of webhook.rules ?? []) rule.scope ??= "*";
}

function defaultMatch(match: MatchResources | undefined): void {
  if (!match) return;
  match.matchPolicy ??= "Equivalent";
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])])
    rule.scope ??= "*";
}

function matchErrors(match: MatchResources | undefined): FieldError[] {
  if (!match) return [required("spec.matchConstraints")];
  return requiredErrors(match.resourceRules, "spec.matchConstraints.resourceRules");
}

function validationErrors(spec: ValidatingAdmissionPolicy["spec"]): FieldError[] {
  if ((spec?.validations ?? []).length + (spec?.auditAnnotations ?? []).length > 0) return [];
  const detail = "validations or auditAnnotations must contain at least one item";
  return [required("spec.validations", detail), required("spec.auditAnnotations", detail)];
}
