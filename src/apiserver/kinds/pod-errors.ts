import type { Container, PodSpec } from "../../api/types/core/v1.ts";
import { duplicate, type FieldError, invalid, notFound, notSupported, required } from "../../schema/index.ts";
import { nameFaults } from "../name-rules.ts";

/** What is wrong with the description of a Pod, at this path: `spec`, `spec.template.spec`. */
export function podSpecErrors(spec: PodSpec, field: string): FieldError[] {
  const containers = spec.containers ?? [];
  return [
    ...volumeErrors(spec, `${field}.volumes`),
    ...(containers.length === 0 ? [required(`${field}.containers`)] : []),
    ...containerListErrors(spec, containers, `${field}.containers`),
    ...containerListErrors(spec, spec.initContainers ?? [], `${field}.initContainers`),
    ...oneOf(spec.restartPolicy, restartPolicies, `${field}.restartPolicy`),
    ...oneOf(spec.dnsPolicy, dnsPolicies, `${field}.dnsPolicy`),
    ...paddedImages(spec, field),
  ];
}

const restartPolicies = ["Always", "OnFailure", "Never"];
const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const pullPolicies = ["Always", "IfNotPresent", "Never"];
const protocols = ["SCTP", "TCP", "UDP"];

/** The value must be one of these, which the message lists in this order. */
export function oneOf(value: string | undefined, supported: readonly string[], field: string): FieldError[] {
  if (value !== undefined && supported.includes(value)) return [];
  return value ? [notSupported(field, value, supported)] : [required(field)];
}

/** Told after all else, as the real server tells it. */
function paddedImages(spec: PodSpec, field: string): FieldError[] {
  return (["containers", "initContainers"] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ image = "" }, at) =>
      image.trim() === image
        ? []
        : [invalid(`${field}.${list}[${at}].image`, image, "must not have leading or trailing whitespace")],
    ),
  );
}

function volumeErrors({ volumes = [] }: PodSpec, field: string): FieldError[] {
  const seen = new Set<string>();
  return volumes.flatMap(({ name }, at) => {
    const errors = labelNameErrors(name, `${field}[${at}].name`);
    if (errors.length === 0 && seen.has(name)) errors.push(duplicate(`${field}[${at}].name`, name));
    seen.add(name);
    return errors;
  });
}

function labelNameErrors(name: string | undefined, field: string): FieldError[] {
  if (!name) return [required(field)];
  return nameFaults("dns-label", name).map((fault) => invalid(field, name, fault));
}

/** Containers of both lists share their names: those of the init containers come later. */
function containerListErrors(spec: PodSpec, list: readonly Container[], field: string): FieldError[] {
  const seen = new Set(list === spec.containers ? [] : (spec.containers ?? []).map(({ name }) => name));
  return list.flatMap((container, at) => {
    const path = `${field}[${at}]`;
    const twice = seen.has(container.name) ? [duplicate(`${path}.name`, container.name)] : [];
    seen.add(container.name);
    return [...containerErrors(container, spec, path), ...twice];
  });
}

function containerErrors(container: Container, spec: PodSpec, field: string): FieldError[] {
  const { image = "", imagePullPolicy } = container;
  return [
    ...labelNameErrors(container.name, `${field}.name`),
    ...imageErrors(image, `${field}.image`),
    ...portErrors(container, `${field}.ports`),
    ...environmentErrors(container, `${field}.env`),
    ...mountErrors(container, spec, `${field}.volumeMounts`),
    ...oneOf(imagePullPolicy, pullPolicies, `${field}.imagePullPolicy`),
  ];
}

function imageErrors(image: string, field: string): FieldError[] {
  return image.trim() === "" ? [required(field)] : [];
}

function portErrors({ ports = [] }: Container, field: string): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap(({ name, containerPort, hostPort, protocol }, at) => {
    const path = `${field}[${at}]`;
    const twice = name && names.has(name) ? [duplicate(`${path}.name`, name)] : [];
    if (name) names.add(name);
    return [
      ...twice,
      ...(containerPort
        ? portNumberErrors(containerPort, `${path}.containerPort`)
        : [required(`${path}.containerPort`)]),
      ...(hostPort ? portNumberErrors(hostPort, `${path}.hostPort`) : []),
      ...oneOf(protocol, protocols, `${path}.protocol`),
    ];
  });
}

export function portNumberErrors(port: number, field: string): FieldError[] {
  return port >= 1 && port <= 65535 ? [] : [invalid(field, port, "must be between 1 and 65535, inclusive")];
}

function environmentErrors({ env = [] }: Container, field: string): FieldError[] {
  return env.flatMap(({ name, value, valueFrom }, at) => [
    ...(name ? [] : [required(`${field}[${at}].name`)]),
    ...(value && valueFrom
      ? [invalid(`${field}[${at}].valueFrom`, "", "may not be specified when `value` is not empty")]
      : []),
  ]);
}

function mountErrors(
  { volumeMounts = [] }: Container,
  { volumes = [] }: PodSpec,
  field: string,
): FieldError[] {
  const known = new Set(volumes.map(({ name }) => name));
  const paths = new Set<string>();
  return volumeMounts.flatMap(({ name, mountPath }, at) => {
    const twice = paths.has(mountPath)
      ? [invalid(`${field}[${at}].mountPath`, mountPath, "must be unique")]
      : [];
    paths.add(mountPath);
    return [
      ...(name ? [] : [required(`${field}[${at}].name`)]),
      ...(known.has(name) ? [] : [notFound(`${field}[${at}].name`, name)]),
      ...(mountPath ? [] : [required(`${field}[${at}].mountPath`)]),
      ...twice,
    ];
  });
}
