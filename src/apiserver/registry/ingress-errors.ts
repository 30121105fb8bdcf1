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
import { missing, nameErrors } from "./value-errors.ts";

/** What is wrong with the routes of an Ingress. */
export function ingressErrors(spec: IngressSpec): FieldError[] {
  const { defaultBackend, rules = [], tls = [], ingressClassName } = spec;
  return [
    ...(defaultBackend ? backendErrors(defaultBackend, "spec.defaultBackend") : []),
    ...(rules.length === 0 && !defaultBackend
      ? [invalid("spec", null, "either `defaultBackend` or `rules` must be specified")]
      : []),
    ...rules.flatMap((rule, at) => ruleErrors(rule, `spec.rules[${at}]`)),
    ...tls.flatMap(({ hosts = [], secretName }, at) => [
      ...hosts.flatMap((host, place) => patternErrors(host, `spec.tls[${at}].hosts[${place}]`)),
      ...(secretName ? nameErrors("dns-subdomain", secretName, `spec.tls[${at}].secretName`) : []),
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
    ...(http?.paths ?? []).flatMap((path, at) => pathErrors(path, `${field}.http.paths[${at}]`)),
  ];
}

function hostErrors(host: string, field: string): FieldError[] {
  return isIP(host) === 0
    ? patternErrors(host, field)
    : [invalid(field, host, "must be a DNS name, not an IP address")];
}

/** A host, or all hosts of a domain. */
function patternErrors(host: string, field: string): FieldError[] {
  if (!host.includes("*")) return nameErrors("dns-subdomain", host, field);
  const faults = nameErrors("dns-subdomain", host.replace(/^\*\./, ""), field);
  if (host.startsWith("*.") && faults.length === 0) return [];
  return [invalid(field, host, wrongWildcard)];
}

const wrongWildcard =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of " +
  "lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', " +
  "regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const pathTypes = ["Exact", "ImplementationSpecific", "Prefix"];

function pathErrors({ path = "", pathType, backend }: HTTPIngressPath, field: string): FieldError[] {
  if (!pathType) return [required(`${field}.pathType`, "pathType must be specified")];
  return [
    ...(pathTypes.includes(pathType)
      ? wrongPath(path, pathType, `${field}.path`)
      : [notSupported(`${field}.pathType`, pathType, pathTypes)]),
    ...backendErrors(backend, `${field}.backend`),
  ];
}

function wrongPath(path: string, type: string, field: string): FieldError[] {
  if (type === "ImplementationSpecific") {
    return path === "" || path.startsWith("/") ? [] : [invalid(field, path, "must be an absolute path")];
  }
  const absolute = path.startsWith("/") ? [] : [invalid(field, path, "must be an absolute path")];
  const faults = ["//", "/./", "/../", "%2f", "%2F"].filter((part) => path.includes(part));
  return [...absolute, ...faults.map((part) => invalid(field, path, `must not contain '${part}'`))];
}

function backendErrors({ service, resource }: IngressBackend, field: string): FieldError[] {
  if (service && resource) return [invalid(field, "", "cannot set both resource and service backends")];
  if (resource) {
    return [
      ...missing(resource.kind, `${field}.resource.kind`),
      ...missing(resource.name, `${field}.resource.name`),
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
