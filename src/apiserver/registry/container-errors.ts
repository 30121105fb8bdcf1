import type { Container, ContainerPort, PodSpec, VolumeMount } from "../../api/types/core/v1.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
} from "../../schema/index.ts";
import { environmentErrors, environmentSourceErrors } from "./environment-errors.ts";
import { oneOf, portNumberErrors } from "./field-choices.ts";
import { portNameErrors } from "./port-name-errors.ts";
import { handlerErrors, probeErrors } from "./probe-errors.ts";
import { type KnownClaims, knownClaims, usedClaimErrors } from "./resource-claim-errors.ts";
import { resourceErrors } from "./resource-errors.ts";
import { containerSecurityErrors } from "./security-errors.ts";
import { localPathErrors, requiredNameErrors } from "./value-errors.ts";
import { validVolumeNames } from "./volume-errors.ts";

const pullPolicies = ["Always", "IfNotPresent", "Never"];
const messagePolicies = ["File", "FallbackToLogsOnError"];
const protocols = ["SCTP", "TCP", "UDP"];

/** Returns the errors in the containers of a Pod. Names are unique across all lists. */
export function containerListErrors(spec: PodSpec, field: string): FieldError[] {
  const containers = spec.containers ?? [];
  const names = new Set<string>();
  const references = { volumes: validVolumeNames(spec), claims: knownClaims(spec) };
  return [
    ...(containers.length === 0 ? [required(`${field}.containers`)] : []),
    ...containers.flatMap((container, index) => [
      ...containerErrors(container, references, `${field}.containers[${index}]`),
      ...duplicateNameErrors(container, names, `${field}.containers[${index}].name`),
      ...probeAndLifecycleErrors(container, `${field}.containers[${index}]`),
    ]),
    ...hostPortErrors(containers, `${field}.containers`),
    ...(spec.initContainers ?? []).flatMap((container, index) => [
      ...containerErrors(container, references, `${field}.initContainers[${index}]`),
      ...duplicateNameErrors(container, names, `${field}.initContainers[${index}].name`),
      ...initContainerErrors(container, `${field}.initContainers[${index}]`),
      ...duplicatePortErrors(container, new Set(), `${field}.initContainers[${index}].ports`),
    ]),
    ...(spec.ephemeralContainers ?? []).flatMap((container, index) => [
      ...containerErrors(container, references, `${field}.ephemeralContainers[${index}]`),
      ...duplicateNameErrors(container, names, `${field}.ephemeralContainers[${index}].name`),
    ]),
  ];
}

/** Returns an error for each host port that two containers share. */
function hostPortErrors(containers: readonly Container[], field: string): FieldError[] {
  const usedPorts = new Set<string>();
  return containers.flatMap((container, index) =>
    duplicatePortErrors(container, usedPorts, `${field}[${index}].ports`),
  );
}

function duplicatePortErrors({ ports = [] }: Container, usedPorts: Set<string>, field: string): FieldError[] {
  return ports.flatMap(({ hostPort, hostIP = "", protocol = "" }, index) => {
    const port = `${protocol}/${hostIP}/${hostPort}`;
    if (!hostPort || !usedPorts.has(port)) {
      usedPorts.add(port);
      return [];
    }
    return [duplicate(`${field}[${index}].hostPort`, port)];
  });
}

function duplicateNameErrors(
  { name }: Pick<Container, "name">,
  names: Set<string>,
  field: string,
): FieldError[] {
  if (names.has(name)) return [duplicate(field, name)];
  names.add(name);
  return [];
}

/** The volumes and claims that containers may refer to. */
interface References {
  readonly volumes: ReadonlySet<string>;
  readonly claims: KnownClaims;
}

function containerErrors(container: Container, references: References, field: string): FieldError[] {
  const { image = "", terminationMessagePolicy = "" } = container;
  return [
    ...requiredNameErrors("dns-label", container.name, `${field}.name`),
    ...(image === "" ? [required(`${field}.image`)] : []),
    ...(messagePolicies.includes(terminationMessagePolicy)
      ? []
      : [notSupported(`${field}.terminationMessagePolicy`, terminationMessagePolicy, messagePolicies)]),
    ...portErrors(container.ports ?? [], `${field}.ports`),
    ...environmentErrors(container.env ?? [], `${field}.env`),
    ...environmentSourceErrors(container.envFrom ?? [], `${field}.envFrom`),
    ...mountErrors(container.volumeMounts ?? [], references.volumes, `${field}.volumeMounts`),
    ...oneOf(container.imagePullPolicy, pullPolicies, `${field}.imagePullPolicy`),
    ...resourceErrors(container.resources ?? {}, `${field}.resources`),
    ...usedClaimErrors(container.resources?.claims ?? [], references.claims, `${field}.resources.claims`),
    ...containerSecurityErrors(container.securityContext, `${field}.securityContext`),
  ];
}

function probeAndLifecycleErrors(
  { lifecycle, livenessProbe, readinessProbe, startupProbe }: Container,
  field: string,
): FieldError[] {
  return [
    ...(lifecycle?.postStart ? handlerErrors(lifecycle.postStart, `${field}.lifecycle.postStart`) : []),
    ...(lifecycle?.preStop ? handlerErrors(lifecycle.preStop, `${field}.lifecycle.preStop`) : []),
    ...probeErrors(livenessProbe, `${field}.livenessProbe`, "once"),
    ...probeErrors(readinessProbe, `${field}.readinessProbe`, "often"),
    ...probeErrors(startupProbe, `${field}.startupProbe`, "once"),
  ];
}

/**
 * Returns the errors of an init container. Only sidecars, which have restartPolicy Always, may have a lifecycle and
 * probes.
 */
function initContainerErrors(container: Container, field: string): FieldError[] {
  if (container.restartPolicy === "Always") return probeAndLifecycleErrors(container, field);
  const detail = "may not be set for init containers without restartPolicy=Always";
  return (["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const)
    .filter((name) => container[name])
    .map((name) => forbidden(`${field}.${name}`, detail));
}

function portErrors(ports: readonly ContainerPort[], field: string): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap(({ name, containerPort, hostPort, protocol }, index) => {
    const path = `${field}[${index}]`;
    const duplicates = name && names.has(name) ? [duplicate(`${path}.name`, name)] : [];
    if (name) names.add(name);
    return [
      ...(name ? portNameErrors(name, `${path}.name`) : []),
      ...duplicates,
      ...(containerPort
        ? portNumberErrors(containerPort, `${path}.containerPort`)
        : [required(`${path}.containerPort`)]),
      ...(hostPort ? portNumberErrors(hostPort, `${path}.hostPort`) : []),
      ...oneOf(protocol, protocols, `${path}.protocol`),
    ];
  });
}

function mountErrors(
  mounts: readonly VolumeMount[],
  volumes: ReadonlySet<string>,
  field: string,
): FieldError[] {
  const paths = new Set<string>();
  return mounts.flatMap(({ name, mountPath, subPath }, index) => {
    const path = `${field}[${index}]`;
    const duplicates = paths.has(mountPath)
      ? [invalid(`${path}.mountPath`, mountPath, "must be unique")]
      : [];
    paths.add(mountPath);
    return [
      ...(name ? [] : [required(`${path}.name`)]),
      ...(volumes.has(name) ? [] : [notFound(`${path}.name`, name)]),
      ...(mountPath ? [] : [required(`${path}.mountPath`)]),
      ...duplicates,
      ...(subPath ? localPathErrors(subPath, `${field}.subPath`) : []),
    ];
  });
}
