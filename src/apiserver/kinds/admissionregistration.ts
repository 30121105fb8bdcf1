import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from "../../api/types/admissionregistration/v1.ts";
import { equal } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";

const group = "admissionregistration.k8s.io";

export const admissionregistration: readonly KindEntry[] = [
  entry<ValidatingWebhookConfiguration>(`${group}/ValidatingWebhookConfiguration`, {
    generation: ({ webhooks }, before) => !equal(webhooks, before.webhooks),
    unconditionalUpdate: false,
    default({ webhooks = [] }) {
      for (const webhook of webhooks) defaultWebhook(webhook);
    },
  }),
  entry<MutatingWebhookConfiguration>(`${group}/MutatingWebhookConfiguration`, {
    generation: ({ webhooks }, before) => !equal(webhooks, before.webhooks),
    unconditionalUpdate: false,
    default({ webhooks = [] }) {
      for (const webhook of webhooks) {
        defaultWebhook(webhook);
        webhook.reinvocationPolicy ??= "Never";
      }
    },
  }),
];

function defaultWebhook(webhook: ValidatingWebhook | MutatingWebhook): void {
  webhook.failurePolicy ??= "Fail";
  webhook.matchPolicy ??= "Equivalent";
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  if (webhook.clientConfig.service) webhook.clientConfig.service.port ??= 443;
  for (const rule of webhook.rules ?? []) rule.scope ??= "*";
}
