import type { EnvFromSource, EnvVar, EnvVarSource } from "../../api/types/core/v1.ts";
import { type FieldError, invalid, notSupported, required } from "../../schema/index.ts";
import { configKeyErrors } from "./config-key-errors.ts";
import { nameErrors } from "./value-errors.ts";

/** What is wrong with variables of a container's environment. */
export function environmentErrors(variables: readonly EnvVar[], field: string): FieldError[] {
  return variables.flatMap(({ name, value, valueFrom }, at) => [
    ...variableNameErrors(name ?? "", `${field}[${at}].name`),
    ...(valueFrom ? sourceErrors(valueFrom, value ?? "", `${field}[${at}].valueFrom`) : []),
  ]);
}

const wrongName =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

function variableNameErrors(name: string, field: string): FieldError[] {
  if (name === "") return [required(field)];
  return /^[ -<>-~]+$/.test(name) ? [] : [invalid(field, name, wrongName)];
}

function sourceErrors(source: EnvVarSource, value: string, field: string): FieldError[] {
  const given = Object.values(source).filter((one) => one !== undefined).length;
  if (given === 0) {
    const detail =
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    return [invalid(field, "", detail)];
  }
  if (value !== "") return [invalid(field, "", "may not be specified when `value` is not empty")];
  if (given > 1) return [invalid(field, "", "may not have more than one field specified at a time")];
  return [
    ...fieldErrors(source.fieldRef, `${field}.fieldRef`),
    ...resourceFieldErrors(source.resourceFieldRef, `${field}.resourceFieldRef`),
    ...keyErrors(source.configMapKeyRef, `${field}.configMapKeyRef`),
    ...keyErrors(source.secretKeyRef, `${field}.secretKeyRef`),
  ];
}

const podFields: ReadonlySet<string> = new Set([
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
]);

function fieldErrors(reference: EnvVarSource["fieldRef"], field: string): FieldError[] {
  if (!reference) return [];
  const { fieldPath } = reference;
  if (!fieldPath) return [required(`${field}.fieldPath`)];
  if (podFields.has(fieldPath) || /^metadata\.(?:labels|annotations)\['.+'\]$/.test(fieldPath)) return [];
  const detail = `error converting fieldPath: field label not supported: ${fieldPath}`;
  return [invalid(`${field}.fieldPath`, fieldPath, detail)];
}

const resources = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];

function resourceFieldErrors(reference: EnvVarSource["resourceFieldRef"], field: string): FieldError[] {
  if (!reference) return [];
  const { resource } = reference;
  if (!resource) return [required(`${field}.resource`)];
  if (resources.includes(resource) || /^(?:limits|requests)\.hugepages-/.test(resource)) return [];
  return [notSupported(`${field}.resource`, resource, resources)];
}

function keyErrors(reference: EnvVarSource["secretKeyRef"], field: string): FieldError[] {
  if (!reference) return [];
  return [
    ...nameErrors("dns-subdomain", reference.name, `${field}.name`),
    ...(reference.key ? configKeyErrors(reference.key, `${field}.key`) : [required(`${field}.key`)]),
  ];
}

/** What is wrong with what a container's environment is filled from. */
export function environmentSourceErrors(sources: readonly EnvFromSource[], field: string): FieldError[] {
  return sources.flatMap(({ configMapRef, secretRef }, at) => {
    if (configMapRef && secretRef) {
      return [invalid(field, "", "may not have more than one field specified at a time")];
    }
    const [reference, name] = configMapRef ? [configMapRef, "configMapRef"] : [secretRef, "secretRef"];
    if (!reference) return [invalid(field, "", "must specify one of: `configMapRef` or `secretRef`")];
    return reference.name ? [] : [required(`${field}[${at}].${name}.name`)];
  });
}
