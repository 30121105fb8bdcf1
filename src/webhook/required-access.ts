import type { Kind } from "../api/index.ts";
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "../api/types/admissionregistration/v1.ts";
import { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import { Secret } from "../api/types/core/v1.ts";
import type { WebhookSetup } from "./webhook-setup.ts";

/** Access to one object that a webhook server needs. */
export interface RequiredAccess {
  readonly kind: Kind;
  readonly verbs: readonly string[];
  readonly name: string;
  readonly namespaces?: readonly string[] | undefined;
  readonly why: string;
}

/** Returns the access that the registration and the managed certificates need, and no other. */
export function requiredAccess(setup: WebhookSetup): RequiredAccess[] {
  return [...secretAccess(setup), ...registrationAccess(setup)];
}

function secretAccess({ options, secret }: WebhookSetup): RequiredAccess[] {
  if ((options.certificates ?? "managed") !== "managed") return [];
  const { name, namespace } = secret;
  const why = "the webhook server keeps its certificates in it";
  return [{ kind: Secret, verbs: ["get", "create", "update"], name, namespaces: [namespace], why }];
}

function registrationAccess({ options, name, hooks, converters }: WebhookSetup): RequiredAccess[] {
  const { registration = "managed" } = options;
  if (registration === "none") return [];
  const verbs = {
    managed: ["get", "create", "patch"],
    temporary: ["get", "create", "patch", "delete"],
    bundle: ["get", "patch"],
  }[registration];
  const kinds = { mutating: MutatingWebhookConfiguration, validating: ValidatingWebhookConfiguration };
  const why = "the webhook server registers webhooks in it";
  return [
    ...[...new Set(hooks.map(({ type }) => type))].map((type) => ({ kind: kinds[type], verbs, name, why })),
    ...converters.map(({ definition }) => ({
      kind: CustomResourceDefinition,
      verbs: ["get", "patch"],
      name: definition,
      why: "the webhook server registers its conversion in it",
    })),
  ];
}
