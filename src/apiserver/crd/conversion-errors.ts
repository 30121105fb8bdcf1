import type { CustomResourceDefinitionSpec } from "../../api/types/apiextensions/v1.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../../schema/index.ts";
import { webhookUrlErrors } from "../registry/webhook-errors.ts";
import { nameProblems } from "../validation/name-rules.ts";

const conversionPath = "spec.conversion";

/** Returns the errors in `spec.conversion` of a definition. */
export function conversionErrors({
  conversion,
  preserveUnknownFields,
}: CustomResourceDefinitionSpec): FieldError[] {
  if (!conversion) return [];
  const { strategy } = conversion;
  const errors: FieldError[] = [];
  if (preserveUnknownFields && strategy !== "None")
    errors.push(
      invalid(`${conversionPath}.strategy`, strategy, "must be None if spec.preserveUnknownFields is true"),
    );
  if (strategy === "Webhook") return [...errors, ...webhookErrors(conversion)];
  if (strategy !== "None")
    errors.push(notSupported(`${conversionPath}.strategy`, strategy, ["None", "Webhook"]));
  return [...errors, ...unusedWebhookErrors(conversion)];
}

type Conversion = NonNullable<CustomResourceDefinitionSpec["conversion"]>;

function webhookErrors({ webhook }: Conversion): FieldError[] {
  const { clientConfig, conversionReviewVersions = [] } = webhook ?? {};
  return [...clientErrors(clientConfig), ...reviewVersionErrors(conversionReviewVersions)];
}

type ClientConfig = NonNullable<Conversion["webhook"]>["clientConfig"];

function clientErrors(config: ClientConfig): FieldError[] {
  const path = `${conversionPath}.webhookClientConfig`;
  if (!config) return [required(path, "required when strategy is set to Webhook")];
  const { url, service } = config;
  if ((url === undefined) === (service === undefined))
    return [required(path, "exactly one of url or service is required")];
  return [
    ...(url === undefined ? [] : webhookUrlErrors(url, `${path}.url`)),
    ...serviceErrors(service, path),
  ];
}

function serviceErrors(service: NonNullable<ClientConfig>["service"], path: string): FieldError[] {
  if (!service) return [];
  return (["name", "namespace"] as const)
    .filter((field) => service[field] === "")
    .map((field) => required(`${path}.service.${field}`));
}

function reviewVersionErrors(versions: readonly string[]): FieldError[] {
  const path = `${conversionPath}.conversionReviewVersions`;
  if (versions.length === 0) return [required(path)];
  const errors = versions.flatMap((version, index) => {
    const detail =
      versions.indexOf(version) < index ? ["duplicate version"] : nameProblems("dns-1035-label", version);
    return detail.length > 0 ? [invalid(`${path}[${index}]`, version, detail.join(","))] : [];
  });
  if (versions.some((version) => version === "v1" || version === "v1beta1")) return errors;
  return [...errors, invalid(path, versions, "must include at least one of v1, v1beta1")];
}

function unusedWebhookErrors({ webhook }: Conversion): FieldError[] {
  const detail = "should not be set when strategy is not set to Webhook";
  return [
    ...(webhook?.clientConfig ? [forbidden(`${conversionPath}.webhookClientConfig`, detail)] : []),
    ...((webhook?.conversionReviewVersions ?? []).length > 0
      ? [forbidden(`${conversionPath}.conversionReviewVersions`, detail)]
      : []),
  ];
}
