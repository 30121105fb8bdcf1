import type { APIService, APIServiceSpec } from "../../api/types/apiregistration/v1.ts";
import { type FieldError, invalid, required } from "../../schema/index.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { nameErrors, requiredErrors } from "./value-errors.ts";

/** Aggregated API servers. They are stored, and no request is forwarded to them. */
export const apiregistration: readonly KindEntry[] = [
  kindEntry<APIService>("apiregistration.k8s.io/APIService", {
    name: "path-segment",
    default({ spec }) {
      if (spec?.service) spec.service.port ??= 443;
    },
    validate: ({ metadata, spec }) => (spec ? serviceErrors(metadata.name, spec) : []),
  }),
];

function serviceErrors(name: string, spec: APIServiceSpec): FieldError[] {
  const { group = "", version = "", groupPriorityMinimum: groupPriority, versionPriority: priority } = spec;
  const expectedName = `${version}.${group}`;
  const detail = 'must be `spec.version+"."+spec.group`';
  return [
    ...(name === expectedName
      ? []
      : [invalid("metadata.name", name, `${detail}: ${JSON.stringify(expectedName)}`)]),
    ...(group === "" && version !== "v1"
      ? [required("spec.group", "only v1 may have an empty group and it better be legacy kube")]
      : []),
    ...(group === "" ? [] : nameErrors("dns-subdomain", group, "spec.group")),
    ...nameErrors("dns-1035-label", version, "spec.version"),
    ...rangeErrors(groupPriority, 20_000, "spec.groupPriorityMinimum"),
    ...rangeErrors(priority, 1000, "spec.versionPriority"),
    ...(spec.service ? remoteErrors(spec) : localErrors(spec)),
  ];
}

function rangeErrors(value: number, max: number, field: string): FieldError[] {
  return value > 0 && value <= max ? [] : [invalid(field, value, `must be positive and less than ${max}`)];
}

/** Returns the errors of an APIService that this server serves itself. */
function localErrors({ caBundle = "", insecureSkipTLSVerify }: APIServiceSpec): FieldError[] {
  const bytes = Buffer.from(caBundle, "base64").length;
  return [
    ...(bytes > 0
      ? [invalid("spec.caBundle", `${bytes} bytes`, "local APIServices may not have a caBundle")]
      : []),
    ...(insecureSkipTLSVerify
      ? [invalid("spec.insecureSkipTLSVerify", true, "local APIServices may not have insecureSkipTLSVerify")]
      : []),
  ];
}

function remoteErrors({ service = {}, caBundle = "", insecureSkipTLSVerify }: APIServiceSpec): FieldError[] {
  const { namespace, name, port = 0 } = service;
  const range = "port is not valid: must be between 1 and 65535, inclusive";
  return [
    ...requiredErrors(namespace, "spec.service.namespace"),
    ...requiredErrors(name, "spec.service.name"),
    ...(port >= 1 && port <= 65_535 ? [] : [invalid("spec.service.port", port, range)]),
    ...(insecureSkipTLSVerify && caBundle !== ""
      ? [invalid("spec.insecureSkipTLSVerify", true, "may not be true if caBundle is present")]
      : []),
  ];
}
