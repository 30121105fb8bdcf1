import type { LabelSelector } from "../../api/index.ts";
import type {
  MutatingWebhook,
  RuleWithOperations,
  ValidatingWebhook,
  WebhookClientConfig,
} from "../../api/types/admissionregistration/v1.ts";
import { duplicate, type FieldError, invalid, notSupported, required } from "../../schema/index.ts";
import { nameProblems } from "../validation/name-rules.ts";
import { oneOf, portNumberErrors } from "./field-choices.ts";
import { selectorErrors } from "./selector-errors.ts";
import { requiredErrors } from "./value-errors.ts";

type Webhook = MutatingWebhook | ValidatingWebhook;

/** Returns the errors in admission webhooks. */
export function webhookErrors(webhooks: readonly Webhook[]): FieldError[] {
  const names = new Set<string>();
  return webhooks.flatMap((webhook, index) => {
    const field = `webhooks[${index}]`;
    const duplicates = names.has(webhook.name) ? [duplicate(`${field}.name`, webhook.name)] : [];
    if (webhook.name) names.add(webhook.name);
    return [...singleWebhookErrors(webhook, field), ...duplicates];
  });
}

function singleWebhookErrors(webhook: Webhook, field: string): FieldError[] {
  const { timeoutSeconds = 10 } = webhook;
  return [
    ...domainErrors(webhook.name ?? "", `${field}.name`),
    ...(webhook.rules ?? []).flatMap((rule, index) => ruleErrors(rule, `${field}.rules[${index}]`)),
    ...oneOf(webhook.failurePolicy, ["Fail", "Ignore"], `${field}.failurePolicy`),
    ...oneOf(webhook.matchPolicy, ["Equivalent", "Exact"], `${field}.matchPolicy`),
    ...sideEffectErrors(webhook.sideEffects, `${field}.sideEffects`),
    ...(timeoutSeconds > 30 || timeoutSeconds < 1
      ? [
          invalid(
            `${field}.timeoutSeconds`,
            timeoutSeconds,
            "the timeout value must be between 1 and 30 seconds",
          ),
        ]
      : []),
    ...selectorErrors(selectorOf(webhook.namespaceSelector), `${field}.namespaceSelector`),
    ...selectorErrors(selectorOf(webhook.objectSelector), `${field}.objectSelector`),
    ...clientErrors(webhook.clientConfig, `${field}.clientConfig`),
    ...versionErrors(webhook.admissionReviewVersions, `${field}.admissionReviewVersions`),
  ];
}

/** Returns the selector. The schema of the kind ensures its type. */
function selectorOf(selector: unknown): LabelSelector {
  return (selector ?? {}) as LabelSelector;
}

function domainErrors(name: string, field: string): FieldError[] {
  if (name === "") return [required(field)];
  const problems = nameProblems("dns-subdomain", name);
  if (problems.length > 0) return problems.map((problem) => invalid(field, name, problem));
  if (name.split(".").length >= 3) return [];
  return [invalid(field, name, "should be a domain with at least three segments separated by dots")];
}

function sideEffectErrors(effects: string | undefined, field: string): FieldError[] {
  if (!effects) return [required(field, "must specify one of None, NoneOnDryRun")];
  return oneOf(effects, ["None", "NoneOnDryRun"], field);
}

function versionErrors(versions: readonly string[] | undefined, field: string): FieldError[] {
  if (!versions?.length) return [required(field, "must specify one of v1, v1beta1")];
  if (versions.some((version) => version === "v1" || version === "v1beta1")) return [];
  return [invalid(field, versions, "must include at least one of v1, v1beta1")];
}

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];

function ruleErrors(rule: RuleWithOperations, field: string): FieldError[] {
  return [
    ...listErrors(rule.operations, `${field}.operations`, "operations"),
    ...(rule.operations ?? []).flatMap((operation, index) =>
      operations.includes(operation)
        ? []
        : [notSupported(`${field}.operations[${index}]`, operation, operations)],
    ),
    ...listErrors(rule.apiGroups, `${field}.apiGroups`, "API groups"),
    ...listErrors(rule.apiVersions, `${field}.apiVersions`, "API versions"),
    ...resourceErrors(rule.resources, `${field}.resources`),
    ...oneOf(rule.scope, ["*", "Cluster", "Namespaced"], `${field}.scope`),
  ];
}

/** Returns an error if `*` is listed together with other values. */
function listErrors(values: readonly string[] | undefined, field: string, noun: string): FieldError[] {
  if (!values?.length) return [required(field)];
  if (values.length === 1 || !values.includes("*")) return [];
  return [invalid(field, values, `if '*' is present, must not specify other ${noun}`)];
}

function resourceErrors(resources: readonly string[] | undefined, field: string): FieldError[] {
  if (!resources?.length) return [required(field)];
  const withoutSubresource = resources.filter((resource) => !resource.includes("/"));
  if (withoutSubresource.length < 2 || !withoutSubresource.includes("*")) return [];
  return [
    invalid(field, resources, "if '*' is present, must not specify other resources without subresources"),
  ];
}

function clientErrors(config: WebhookClientConfig | undefined, field: string): FieldError[] {
  const { url, service } = config ?? {};
  if ((url === undefined) === (service === undefined)) {
    return [required(field, "exactly one of url or service is required")];
  }
  if (url !== undefined) return webhookUrlErrors(url, `${field}.url`);
  return [
    ...requiredErrors(service?.name, `${field}.service.name`),
    ...requiredErrors(service?.namespace, `${field}.service.namespace`),
    ...portNumberErrors(service?.port ?? 443, `${field}.service.port`),
  ];
}

export function webhookUrlErrors(url: string, field: string): FieldError[] {
  const format = "; desired format: https://host[/path]";
  const [, scheme = ""] = /^([a-z][a-z0-9+.-]*):/i.exec(url) ?? [];
  return scheme === "https"
    ? []
    : [invalid(field, scheme, `'https' is the only allowed URL scheme${format}`)];
}
