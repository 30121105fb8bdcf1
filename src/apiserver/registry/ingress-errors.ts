import { isIP } from "node:net";
import type {
  HTTPIngressPath,
  IngressBackend,
  IngressRule,
  IngressSpec,
} from "../../api/types/networking/v1.ts";
import { type FieldError, invalid, notSupported, required } from "../../schema/index.ts";
import { portNumberErrors } from "./field-choices.ts";
import { portNameErrors } from "./port-name-errors.ts";
import { nameErrors, requiredErrors } from "./value-errors.ts";

/** Returns the errors in the spec of an Ingress. */
export function ingressErrors(spec: IngressSpec): FieldError[] {
  const { defaultBackend, rules = [], tls = [], ingressClassName } = spec;
  return [
    ...(defaultBackend ? backendErrors(defaultBackend, "spec.defaultBackend") : []),
    ...(rules.length === 0 && !defaultBackend
      ? [invalid("spec", null, "either `defaultBackend` or `rules` must be specified")]
      : []),
    ...rules.flatMap((rule, index) => ruleErrors(rule, `spec.rules[${index}]`)),
    ...tls.flatMap(({ hosts = [], secretName }, index) => [
      ...hosts.flatMap((host, hostIndex) => patternErrors(host, `spec.tls[${index}].hosts[${hostIndex}]`)),
      ...(secretName ? nameErrors("dns-subdomain", secretName, `spec.tls[${index}].secretName`) : []),
    ]),
    ...(ingressClassName === undefined
      ? []
      : nameErrors("dns-subdomain", ingressClassName, "spec.ingressClassName")),
  ];
}

function ruleErrors({ host, http }: IngressRule, field: string): FieldError[] {
  return [
    ...(host ? hostErrors(host, `${field}.host`) : []),
    ...(http && (http.paths ?? []).length === 0 ? [required(`${field}.http.paths`)] : []),
    ...(http?.paths ?? []).flatMap((path, index) => pathErrors(path, `${field}.http.paths[${index}]`)),
  ];
}

function hostErrors(host: string, field: string): FieldError[] {
  return isIP(host) === 0
    ? patternErrors(host, field)
    : [invalid(field, host, "must be a DNS name, not an IP address")];
}

/** Returns the errors in a host name or wildcard. */
function patternErrors(host: string, field: string): FieldError[] {
  if (!host.includes("*")) return nameErrors("dns-subdomain", host, field);
  const errors = nameErrors("dns-subdomain", host.replace(/^\*\./, ""), field);
  if (host.startsWith("*.") && errors.length === 0) return [];
  return [invalid(field, host, invalidWildcard)];
}

const invalidWildcard =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of " +
  "lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', " +
  "regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];

function pathErrors({ path = "", pathType, backend }: HTTPIngressPath, field: string): FieldError[] {
  if (!pathType) return [required(`${field}.pathType`, "pathType must be specified")];
  return [
    ...(pathTypes.includes(pathType)
      ? pathTextErrors(path, pathType, `${field}.path`)
      : [notSupported(`${field}.pathType`, pathType, pathTypes)]),
    ...backendErrors(backend, `${field}.backend`),
  ];
}

function pathTextErrors(path: string, type: string, field: string): FieldError[] {
  if (type === "ImplementationSpecific") {
    return path === "" || path.startsWith("/") ? [] : [invalid(field, path, "must be an absolute path")];
  }
  const absolute = path.startsWith("/") ? [] : [invalid(field, path, "must be an absolute path")];
  const found = ["//", "/./", "/../", "%2f", "%2F"].filter((part) => path.includes(part));
  return [...absolute, ...found.map((part) => invalid(field, path, `must not contain '${part}'`))];
}

function backendErrors({ service, resource }: IngressBackend, field: string): FieldError[] {
  if (service && resource) return [invalid(field, "", "cannot set both resource and service backends")];
  if (resource) {
    return [
      ...requiredErrors(resource.kind, `${field}.resource.kind`),
      ...requiredErrors(resource.name, `${field}.resource.name`),
    ];
  }
  if (!service) return [required(field, "must specify service or resource backend")].slice(0, 0);
  const { name, port } = service;
  return [
    ...(name ? nameErrors("dns-label", name, `${field}.service.name`) : [required(`${field}.service.name`)]),
    ...servicePortErrors(port ?? {}, field),
  ];
}

function servicePortErrors(
  port: { name?: string | undefined; number?: number | undefined },
  field: string,
): FieldError[] {
  const hasName = port.name !== undefined && port.name !== "";
  const hasNumber = port.number !== undefined && port.number !== 0;
  if (hasName && hasNumber) return [invalid(field, "", "cannot set both port name & port number")];
  if (hasName) return portNameErrors(port.name ?? "", `${field}.service.port.name`);
  if (hasNumber) return portNumberErrors(port.number ?? 0, `${field}.service.port.number`);
  return [required(field, "port name or number is required")];
}
