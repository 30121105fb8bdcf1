import { createHash } from "node:crypto";
import type { Draft, LabelSelector } from "../api/index.ts";
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from "../api/types/admissionregistration/v1.ts";
import type { CustomResourceDefinition } from "../api/types/apiextensions/v1.ts";
import type { AdmissionHook } from "./admission-hook.ts";
import type { Converter } from "./conversion-review.ts";
import { clientConfigOf, type WebhookTarget } from "./webhook-target.ts";

/** A converter with the name of its CustomResourceDefinition. */
export interface RegisteredConverter extends Converter {
  readonly definition: string;
}

/** The content of a registration. */
export interface RegistrationContent {
  /** The name of both webhook configurations. */
  readonly name: string;
  readonly target: WebhookTarget;
  /**
   * The namespace of the server's own Pods, which webhooks for shared kinds exclude. `undefined` if they are elsewhere.
   */
  readonly namespace: string | undefined;
  /** The CAs in PEM. @default not written */
  readonly bundle: string | undefined;
}

/** The annotation with a hash of the configuration, by which replicas of different releases recognise each other. */
export const hashAnnotation = "trimtab.dev/webhooks";

/** Returns the configuration of the mutating hooks, to be applied. */
export function mutatingConfiguration(
  hooks: readonly AdmissionHook[],
  content: RegistrationContent,
): Draft<MutatingWebhookConfiguration> {
  const webhooks = hooks
    .filter(({ type }) => type === "mutating")
    .map((hook) => mutatingEntry(hook, content));
  return { metadata: metadataOf(webhooks, content), webhooks };
}

/** Returns the configuration of the validating hooks, to be applied. */
export function validatingConfiguration(
  hooks: readonly AdmissionHook[],
  content: RegistrationContent,
): Draft<ValidatingWebhookConfiguration> {
  const webhooks = hooks.filter(({ type }) => type === "validating").map((hook) => entryOf(hook, content));
  return { metadata: metadataOf(webhooks, content), webhooks };
}

/** Returns the conversion section of the CustomResourceDefinition of a kind, to be applied. */
export function conversionSection(
  { definition: name }: RegisteredConverter,
  { target, bundle }: RegistrationContent,
): Draft<CustomResourceDefinition> {
  const clientConfig = clientConfigOf(target, "/convert", bundle);
  const webhook = { conversionReviewVersions: [...reviewVersions], clientConfig };
  return { metadata: { name }, spec: { conversion: { strategy: "Webhook", webhook } } };
}

const reviewVersions = ["v1", "v1beta1"] as const;

/** Returns the metadata with a hash of everything except the CAs, which all replicas share. */
function metadataOf(
  webhooks: readonly ValidatingWebhook[],
  { name }: RegistrationContent,
): { name: string; annotations: Record<string, string> } {
  const content = webhooks.map(({ clientConfig: { caBundle: _, ...clientConfig }, ...rest }) => ({
    ...rest,
    clientConfig,
  }));
  const hash = createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 16);
  return { name, annotations: { [hashAnnotation]: hash } };
}

function mutatingEntry(hook: AdmissionHook, content: RegistrationContent): MutatingWebhook {
  const { reinvocationPolicy = "Never" } = hook.options;
  return { ...entryOf(hook, content), reinvocationPolicy };
}

/** Returns an entry with every option, so that a changed one is repaired. */
function entryOf(hook: AdmissionHook, content: RegistrationContent): ValidatingWebhook {
  const { name, path, rules, options } = hook;
  const {
    failurePolicy = "Fail",
    timeoutSeconds = 10,
    matchPolicy = "Equivalent",
    sideEffects = "None",
  } = options;
  const { objectSelector = {}, matchConditions } = options;
  return {
    name,
    clientConfig: clientConfigOf(content.target, path, content.bundle),
    rules: rules.map(({ operations, apiGroups, apiVersions, resources, scope = "*" }) => ({
      operations: [...operations],
      apiGroups: [...apiGroups],
      apiVersions: [...apiVersions],
      resources: [...resources],
      scope,
    })),
    failurePolicy,
    matchPolicy,
    namespaceSelector: namespaceSelectorOf(hook, content.namespace),
    objectSelector: structuredClone(objectSelector) as LabelSelector, // the generated type has mutable lists
    sideEffects,
    timeoutSeconds,
    admissionReviewVersions: [...reviewVersions],
    ...(matchConditions && { matchConditions: matchConditions.map((each) => ({ ...each })) }),
  };
}

/**
 * Returns the namespaces of a hook. A webhook that is down refuses requests under the failure policy Fail. For kinds
 * that other programs use too, such as Pods, that could stop the control plane and the webhook's own Pods, so their
 * namespaces are excluded.
 */
function namespaceSelectorOf(
  { options, definedHere }: AdmissionHook,
  namespace: string | undefined,
): LabelSelector {
  const { namespaceSelector, failurePolicy = "Fail" } = options;
  if (namespaceSelector) return structuredClone(namespaceSelector) as LabelSelector; // as above
  if (definedHere || failurePolicy === "Ignore") return {};
  const values = [...new Set(["kube-system", ...(namespace === undefined ? [] : [namespace])])].sort();
  return { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values }] };
}
