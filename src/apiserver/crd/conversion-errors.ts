import type { CustomResourceDefinitionSpec } from "../../api/types/apiextensions/v1.ts";
import { type FieldError, forbidden, invalid, notSupported, required } from "../../schema/index.ts";
import { nameFaults } from "../name-rules.ts";

const at = "spec.conversion";

/** What is wrong with how versions are said to be turned into one another. */
export function conversionErrors({
  conversion,
  preserveUnknownFields,
}: CustomResourceDefinitionSpec): FieldError[] {
  if (!conversion) return [];
  const { strategy } = conversion;
  const errors: FieldError[] = [];
  if (preserveUnknownFields && strategy !== "None")
    errors.push(invalid(`${at}.strategy`, strategy, "must be None if spec.preserveUnknownFields is true"));
  if (strategy === "Webhook") return [...errors, ...webhookErrors(conversion)];
  if (strategy !== "None") errors.push(notSupported(`${at}.strategy`, strategy, ["None", "Webhook"]));
  return [...errors, ...needlessErrors(conversion)];
}

type Conversion = NonNullable<CustomResourceDefinitionSpec["conversion"]>;

function webhookErrors({ webhook }: Conversion): FieldError[] {
  const { clientConfig, conversionReviewVersions = [] } = webhook ?? {};
  return [...clientErrors(clientConfig), ...reviewVersionErrors(conversionReviewVersions)];
}

type ClientConfig = NonNullable<Conversion["webhook"]>["clientConfig"];

function clientErrors(config: ClientConfig): FieldError[] {
  const where = `${at}.webhookClientConfig`;
  if (!config) return [required(where, "required when strategy is set to Webhook")];
  const { url, service } = config;
  if ((url === undefined) === (service === undefined))
    return [required(where, "exactly one of url or service is required")];
  return [...(url === undefined ? [] : urlErrors(url, `${where}.url`)), ...serviceErrors(service, where)];
}

function urlErrors(url: string, where: string): FieldError[] {
  const scheme = /^[^:/]*(?=:)/.exec(url)?.[0] ?? "";
  if (scheme === "https") return [];
  const why = "'https' is the only allowed URL scheme; desired format: https://host[/path]";
  return [invalid(where, scheme, why)];
}

function serviceErrors(service: NonNullable<ClientConfig>["service"], where: string): FieldError[] {
  if (!service) return [];
  return (["name", "namespace"] as const)
    .filter((field) => service[field] === "")
    .map((field) => required(`${where}.service.${field}`));
}

function reviewVersionErrors(versions: readonly string[]): FieldError[] {
  const where = `${at}.conversionReviewVersions`;
  if (versions.length === 0) return [required(where)];
  const errors = versions.flatMap((version, index) => {
    const why =
      versions.indexOf(version) < index ? ["duplicate version"] : nameFaults("dns-1035-label", version);
    return why.length > 0 ? [invalid(`${where}[${index}]`, version, why.join(","))] : [];
  });
  if (versions.some((version) => version === "v1" || version === "v1beta1")) return errors;
  return [...errors, invalid(where, versions, "must include at least one of v1, v1beta1")];
}

function needlessErrors({ webhook }: Conversion): FieldError[] {
  const why = "should not be set when strategy is not set to Webhook";
  return [
    ...(webhook?.clientConfig ? [forbidden(`${at}.webhookClientConfig`, why)] : []),
    ...((webhook?.conversionReviewVersions ?? []).length > 0
      ? [forbidden(`${at}.conversionReviewVersions`, why)]
      : []),
  ];
}
