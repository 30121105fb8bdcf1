import type { EnvFromSource, EnvVar, EnvVarSource } from "../../api/types/core/v1.ts";
import { type FieldError, invalid, notSupported, required } from "../../schema/index.ts";
import { configKeyErrors } from "./config-key-errors.ts";
import { nameErrors } from "./value-errors.ts";

/** Returns the errors in the environment variables of a container. */
export function environmentErrors(variables: readonly EnvVar[], field: string): FieldError[] {
  return variables.flatMap(({ name, value, valueFrom }, index) => [
    ...variableNameErrors(name ?? "", `${field}[${index}].name`),
    ...(valueFrom ? sourceErrors(valueFrom, value ?? "", `${field}[${index}].valueFrom`) : []),
  ]);
}

const invalidName =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

function variableNameErrors(name: string, field: string): FieldError[] {
  if (name === "") return [required(field)];
  return /^[ -<>-~]+$/.test(name) ? [] : [invalid(field, name, invalidName)];
}

function sourceErrors(source: EnvVarSource, value: string, field: string): FieldError[] {
  const count = Object.values(source).filter((value) => value !== undefined).length;
  if (count === 0) {
    const detail =
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    return [invalid(field, "", detail)];
  }
  if (value !== "") return [invalid(field, "", "may not be specified when `value` is not empty")];
  if (count > 1) return [invalid(field, "", "may not have more than one field specified at a time")];
  return [
    ...fieldErrors(source.fieldRef, `${field}.fieldRef`),
    ...resourceFieldErrors(source.resourceFieldRef, `${field}.resourceFieldRef`),
    ...keyErrors(source.configMapKeyRef, `${field}.configMapKeyRef`),
    ...keyErrors(source.secretKeyRef, `${field}.secretKeyRef`),
  ];
}

const supportedPodFields: ReadonlySet<string> = new Set([
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
  if (supportedPodFields.has(fieldPath) || /^metadata\.(?:labels|annotations)\['.+'\]$/.test(fieldPath))
    return [];
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

/** Returns the errors in `envFrom` of a container. */
export function environmentSourceErrors(sources: readonly EnvFromSource[], field: string): FieldError[] {
  return sources.flatMap(({ configMapRef, secretRef }, index) => {
    if (configMapRef && secretRef) {
      return [invalid(field, "", "may not have more than one field specified at a time")];
    }
    const [reference, name] = configMapRef ? [configMapRef, "configMapRef"] : [secretRef, "secretRef"];
    if (!reference) return [invalid(field, "", "must specify one of: `configMapRef` or `secretRef`")];
    return reference.name ? [] : [required(`${field}[${index}].${name}.name`)];
  });
}
