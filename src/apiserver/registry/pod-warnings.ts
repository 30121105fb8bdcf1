import type { KubeObject } from "../../api/index.ts";
import type { Container, PodSpec } from "../../api/types/core/v1.ts";
import { nameProblems } from "../validation/name-rules.ts";
import { repeats } from "../validation/repeats.ts";
import { nodeLabelWarnings, topologyKeyWarnings } from "./node-label-warnings.ts";
import { type PortWithPath, portWarnings } from "./port-warnings.ts";

/** Returns the warnings for a Pod spec at the path `field`. */
export function podWarnings(spec: PodSpec | undefined, field = "spec"): string[] {
  if (!spec) return [];
  const containers = containersWithPaths(spec, field);
  return [
    ...nodeLabelWarnings(spec, field),
    ...spreadWarnings(spec, field),
    ...volumeWarnings(spec, field),
    ...duplicateWarnings(spec.hostAliases, "ip", `${field}.hostAliases`),
    ...duplicateWarnings(spec.imagePullSecrets, "name", `${field}.imagePullSecrets`),
    ...secretNameWarnings(spec, field),
    ...containers.flatMap(([container, path]) => [
      ...fractionalByteWarnings(container, path),
      ...overriddenVariableWarnings(container, path),
    ]),
    ...portWarnings(containers.flatMap(portsWithPaths)),
    ...graceWarnings(spec, field),
    ...podAffinityWarnings(spec, field),
  ];
}

/**
 * Returns a warning for a new object whose name is not valid in hostnames. `use` says how it is used: `in Pod names and
 * hostnames`.
 */
export function nameWarnings(
  { metadata }: KubeObject,
  before: KubeObject | undefined,
  use: string,
): string[] {
  const problems = before ? [] : nameProblems("dns-label", metadata.name);
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used ${use}, which can result in surprising behavior; ` +
      `a DNS label is recommended: [${problems.join(" ")}]`,
  ];
}

/** Returns the warnings for the name and the template of a workload. */
export function namedTemplateWarnings<T extends KubeObject & { spec?: Templated | undefined }>(
  object: T,
  before?: T,
): string[] {
  return [...nameWarnings(object, before, "in Pod names and hostnames"), ...templateWarnings(object, before)];
}

/** Returns the warnings for the template of a workload that is new or whose spec changed. */
export function templateWarnings<T extends KubeObject & { spec?: Templated | undefined }>(
  { metadata, spec }: T,
  before?: T,
): string[] {
  if (before && before.metadata.generation === metadata.generation) return [];
  return podWarnings(spec?.template?.spec, "spec.template.spec");
}

interface Templated {
  readonly template?: { readonly spec?: PodSpec | undefined } | undefined;
}

type ContainerWithPath = readonly [container: Container, path: string];

function containersWithPaths(
  { initContainers = [], containers = [] }: PodSpec,
  field: string,
): ContainerWithPath[] {
  const withPaths = (list: readonly Container[], name: string): ContainerWithPath[] =>
    list.map((container, index) => [container, `${field}.${name}[${index}]`]);
  return [...withPaths(initContainers, "initContainers"), ...withPaths(containers, "containers")];
}

function spreadWarnings({ topologySpreadConstraints = [] }: PodSpec, field: string): string[] {
  return topologySpreadConstraints.flatMap(({ labelSelector, topologyKey }, index) => {
    const path = `${field}.topologySpreadConstraints[${index}]`;
    return [
      ...topologyKeyWarnings(topologyKey, `${path}.topologyKey`),
      ...(labelSelector ? [] : [`${path}.labelSelector: ${nullSelector}`]),
    ];
  });
}

const nullSelector = "a null labelSelector results in matching no pod";

/** Returns the warnings for affinity terms without a label selector. */
function podAffinityWarnings({ affinity }: PodSpec, field: string): string[] {
  return (["podAffinity", "podAntiAffinity"] as const).flatMap((part) => {
    const affinityPath = `${field}.affinity.${part}`;
    const required = affinity?.[part]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const preferred = affinity?.[part]?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    return [
      ...required.map(({ labelSelector }, index) => ({
        labelSelector,
        path: `${affinityPath}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`,
      })),
      ...preferred.map(({ podAffinityTerm }, index) => ({
        labelSelector: podAffinityTerm.labelSelector,
        path: `${affinityPath}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`,
      })),
    ].flatMap(({ labelSelector, path }) => (labelSelector ? [] : [`${path}.labelSelector: ${nullSelector}`]));
  });
}

/** Returns the warnings for deprecated volume types. */
function volumeWarnings({ volumes = [] }: PodSpec, field: string): string[] {
  return volumes.flatMap((volume, index) =>
    deprecatedVolumes.flatMap(([name, since]) =>
      volume[name] ? [`${field}.volumes[${index}].${nameInWarning(name)}: deprecated in ${since}`] : [],
    ),
  );
}

/** Returns the name of a volume type in warnings. kube-apiserver spells one differently. */
function nameInWarning(name: string): string {
  return name === "storageos" ? "storageOS" : name;
}

const deprecatedVolumes = [
  ["photonPersistentDisk", "v1.11, non-functional in v1.16+"],
  ["gitRepo", "v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "v1.16, non-functional in v1.22+"],
  ["flocker", "v1.22, non-functional in v1.25+"],
  ["storageos", "v1.22, non-functional in v1.25+"],
  ["quobyte", "v1.22, non-functional in v1.25+"],
  ["glusterfs", "v1.25, non-functional in v1.26+"],
  ["cephfs", "v1.28, non-functional in v1.31+"],
  ["rbd", "v1.28, non-functional in v1.31+"],
] as const;

/** Returns a warning for each element that repeats the key of an earlier one. */
function duplicateWarnings<K extends string>(
  list: ReadonlyArray<Readonly<Partial<Record<K, string | undefined>>>> | undefined,
  key: K,
  field: string,
): string[] {
  const values = (list ?? []).map((element) => element[key] ?? "");
  const isDuplicate = repeats(values, (value) => value);
  return values.flatMap((value, index) =>
    value !== "" && isDuplicate[index] ? [`${field}[${index}].${key}: duplicate ${key} "${value}"`] : [],
  );
}

function secretNameWarnings({ imagePullSecrets = [] }: PodSpec, field: string): string[] {
  return imagePullSecrets.flatMap(({ name }, index) =>
    name ? [] : [`${field}.imagePullSecrets[${index}].name: invalid empty name ""`],
  );
}

function graceWarnings({ terminationGracePeriodSeconds: grace = 0 }: PodSpec, field: string): string[] {
  const detail = "must be >= 0; negative values are invalid and will be treated as 1";
  return grace < 0 ? [`${field}.terminationGracePeriodSeconds: ${detail}`] : [];
}

/** Returns a warning for each variable that overrides an earlier one without referring to it. */
function overriddenVariableWarnings({ env = [] }: Container, path: string): string[] {
  const isDuplicate = repeats(env, ({ name }) => name);
  return env.flatMap(({ name, value = "", valueFrom }, index) => {
    const reference = `$(${name})`;
    const extendsPrevious = !valueFrom && value !== reference && value.includes(reference);
    if (!isDuplicate[index] || extendsPrevious) return [];
    const problem = `hides previous definition of "${name}"`;
    return [`${path}.env[${index}]: ${problem}, which may be dropped when using apply`];
  });
}

function fractionalByteWarnings({ resources }: Container, path: string): string[] {
  return byteResources.flatMap((resource) =>
    (["limits", "requests"] as const).flatMap((part) => {
      const amount = String(resources?.[part]?.[resource] ?? "");
      const resourcePath = `${path}.resources.${part}[${resource}]`;
      return amount.endsWith("m") && Number.parseInt(amount, 10) % 1000 !== 0
        ? [`${resourcePath}: fractional byte value "${amount}" is invalid, must be an integer`]
        : [];
    }),
  );
}

const byteResources = ["memory", "ephemeral-storage"] as const;

function portsWithPaths([{ ports = [] }, path]: ContainerWithPath): PortWithPath[] {
  return ports.map((port, index) => [port, `${path}.ports[${index}]`]);
}
