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
import { type KnownClaims, knownClaims, usedClaimErrors } from "./claim-reference-errors.ts";
import { environmentErrors, environmentSourceErrors } from "./environment-errors.ts";
import { oneOf, portNumberErrors } from "./field-choices.ts";
import { portNameErrors } from "./port-name-errors.ts";
import { handlerErrors, probeErrors } from "./probe-errors.ts";
import { resourceErrors } from "./resource-errors.ts";
import { containerSecurityErrors } from "./security-errors.ts";
import { localPathErrors, neededName } from "./value-errors.ts";
import { volumeSources } from "./volume-errors.ts";

const pullPolicies = ["Always", "IfNotPresent", "Never"];
const messagePolicies = ["File", "FallbackToLogsOnError"];
const protocols = ["SCTP", "TCP", "UDP"];

/** What is wrong with the containers of a Pod. Those of all lists share their names. */
export function containerListErrors(spec: PodSpec, field: string): FieldError[] {
  const containers = spec.containers ?? [];
  const names = new Set<string>();
  const known = { volumes: volumeSources(spec), claims: knownClaims(spec) };
  return [
    ...(containers.length === 0 ? [required(`${field}.containers`)] : []),
    ...containers.flatMap((one, at) => [
      ...containerErrors(one, known, `${field}.containers[${at}]`),
      ...repeated(one, names, `${field}.containers[${at}].name`),
      ...runErrors(one, `${field}.containers[${at}]`),
    ]),
    ...takenPortErrors(containers, `${field}.containers`),
    ...(spec.initContainers ?? []).flatMap((one, at) => [
      ...containerErrors(one, known, `${field}.initContainers[${at}]`),
      ...repeated(one, names, `${field}.initContainers[${at}].name`),
      ...firstErrors(one, `${field}.initContainers[${at}]`),
      ...portsTwice(one, new Set(), `${field}.initContainers[${at}].ports`),
    ]),
    ...(spec.ephemeralContainers ?? []).flatMap((one, at) => [
      ...containerErrors(one, known, `${field}.ephemeralContainers[${at}]`),
      ...repeated(one, names, `${field}.ephemeralContainers[${at}].name`),
    ]),
  ];
}

/** Containers that run side by side share the ports of their node. */
function takenPortErrors(containers: readonly Container[], field: string): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap((one, at) => portsTwice(one, taken, `${field}[${at}].ports`));
}

function portsTwice({ ports = [] }: Container, taken: Set<string>, field: string): FieldError[] {
  return ports.flatMap(({ hostPort, hostIP = "", protocol = "" }, at) => {
    const port = `${protocol}/${hostIP}/${hostPort}`;
    if (!hostPort || !taken.has(port)) {
      taken.add(port);
      return [];
    }
    return [duplicate(`${field}[${at}].hostPort`, port)];
  });
}

function repeated({ name }: Pick<Container, "name">, names: Set<string>, field: string): FieldError[] {
  if (names.has(name)) return [duplicate(field, name)];
  names.add(name);
  return [];
}

/** What the containers of a Pod may refer to. */
interface Known {
  readonly volumes: ReadonlySet<string>;
  readonly claims: KnownClaims;
}

function containerErrors(container: Container, known: Known, field: string): FieldError[] {
  const { image = "", terminationMessagePolicy = "" } = container;
  return [
    ...neededName("dns-label", container.name, `${field}.name`),
    ...(image === "" ? [required(`${field}.image`)] : []),
    ...(messagePolicies.includes(terminationMessagePolicy)
      ? []
      : [notSupported(`${field}.terminationMessagePolicy`, terminationMessagePolicy, messagePolicies)]),
    ...portErrors(container.ports ?? [], `${field}.ports`),
    ...environmentErrors(container.env ?? [], `${field}.env`),
    ...environmentSourceErrors(container.envFrom ?? [], `${field}.envFrom`),
    ...mountErrors(container.volumeMounts ?? [], known.volumes, `${field}.volumeMounts`),
    ...oneOf(container.imagePullPolicy, pullPolicies, `${field}.imagePullPolicy`),
    ...resourceErrors(container.resources ?? {}, `${field}.resources`),
    ...usedClaimErrors(container.resources?.claims ?? [], known.claims, `${field}.resources.claims`),
    ...containerSecurityErrors(container.securityContext, `${field}.securityContext`),
  ];
}

function runErrors(
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

/** Containers that run to an end before the others begin are not watched. Those that go on are like the others. */
function firstErrors(container: Container, field: string): FieldError[] {
  if (container.restartPolicy === "Always") return runErrors(container, field);
  const detail = "may not be set for init containers without restartPolicy=Always";
  return (["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const)
    .filter((name) => container[name])
    .map((name) => forbidden(`${field}.${name}`, detail));
}

function portErrors(ports: readonly ContainerPort[], field: string): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap(({ name, containerPort, hostPort, protocol }, at) => {
    const path = `${field}[${at}]`;
    const twice = name && names.has(name) ? [duplicate(`${path}.name`, name)] : [];
    if (name) names.add(name);
    return [
      ...(name ? portNameErrors(name, `${path}.name`) : []),
      ...twice,
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
  known: ReadonlySet<string>,
  field: string,
): FieldError[] {
  const paths = new Set<string>();
  return mounts.flatMap(({ name, mountPath, subPath }, at) => {
    const path = `${field}[${at}]`;
    const twice = paths.has(mountPath) ? [invalid(`${path}.mountPath`, mountPath, "must be unique")] : [];
    paths.add(mountPath);
    return [
      ...(name ? [] : [required(`${path}.name`)]),
      ...(known.has(name) ? [] : [notFound(`${path}.name`, name)]),
      ...(mountPath ? [] : [required(`${path}.mountPath`)]),
      ...twice,
      ...(subPath ? localPathErrors(subPath, `${field}.subPath`) : []),
    ];
  });
}
