import type { KubeObject } from "../../api/index.ts";
import type { Container, PodSpec } from "../../api/types/core/v1.ts";
import { nameFaults } from "../name-rules.ts";
import { repeats } from "../repeats.ts";
import { nodeLabelWarnings, topologyKeyWarnings } from "./node-label-warnings.ts";
import { type PlacedPort, portWarnings } from "./port-warnings.ts";

/** What is odd about a Pod, though it is taken. `field` is where its spec stands. */
export function podWarnings(spec: PodSpec | undefined, field = "spec"): string[] {
  if (!spec) return [];
  const containers = placedContainers(spec, field);
  return [
    ...nodeLabelWarnings(spec, field),
    ...spreadWarnings(spec, field),
    ...volumeWarnings(spec, field),
    ...repeated(spec.hostAliases, "ip", `${field}.hostAliases`),
    ...repeated(spec.imagePullSecrets, "name", `${field}.imagePullSecrets`),
    ...namelessSecrets(spec, field),
    ...containers.flatMap(([container, place]) => [
      ...fractionalBytes(container, place),
      ...hiddenVariables(container, place),
    ]),
    ...portWarnings(containers.flatMap(placedPorts)),
    ...graceWarnings(spec, field),
    ...neighbourWarnings(spec, field),
  ];
}

/** A new object whose name becomes part of the hostnames of Pods. `use` is how it does: `in Pod names and hostnames`. */
export function nameWarnings(
  { metadata }: KubeObject,
  before: KubeObject | undefined,
  use: string,
): string[] {
  const faults = before ? [] : nameFaults("dns-label", metadata.name);
  if (faults.length === 0) return [];
  return [
    `metadata.name: this is used ${use}, which can result in surprising behavior; ` +
      `a DNS label is recommended: [${faults.join(" ")}]`,
  ];
}

/** As workloads whose Pods are named after them tell of both. */
export function namedTemplateWarnings<T extends KubeObject & { spec?: Templated | undefined }>(
  object: T,
  before?: T,
): string[] {
  return [...nameWarnings(object, before, "in Pod names and hostnames"), ...templateWarnings(object, before)];
}

/** As workloads tell of the Pods they make: when they are new, or change. */
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

type Placed = readonly [container: Container, place: string];

function placedContainers({ initContainers = [], containers = [] }: PodSpec, field: string): Placed[] {
  const placed = (list: readonly Container[], name: string): Placed[] =>
    list.map((container, index) => [container, `${field}.${name}[${index}]`]);
  return [...placed(initContainers, "initContainers"), ...placed(containers, "containers")];
}

function spreadWarnings({ topologySpreadConstraints = [] }: PodSpec, field: string): string[] {
  return topologySpreadConstraints.flatMap(({ labelSelector, topologyKey }, index) => {
    const place = `${field}.topologySpreadConstraints[${index}]`;
    return [
      ...topologyKeyWarnings(topologyKey, `${place}.topologyKey`),
      ...(labelSelector ? [] : [`${place}.labelSelector: ${matchesNothing}`]),
    ];
  });
}

const matchesNothing = "a null labelSelector results in matching no pod";

/** Other Pods, to be near to or far from, that are none. */
function neighbourWarnings({ affinity }: PodSpec, field: string): string[] {
  return (["podAffinity", "podAntiAffinity"] as const).flatMap((part) => {
    const path = `${field}.affinity.${part}`;
    const required = affinity?.[part]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const preferred = affinity?.[part]?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    return [
      ...required.map(({ labelSelector }, at) => ({
        labelSelector,
        place: `${path}.requiredDuringSchedulingIgnoredDuringExecution[${at}]`,
      })),
      ...preferred.map(({ podAffinityTerm }, at) => ({
        labelSelector: podAffinityTerm.labelSelector,
        place: `${path}.preferredDuringSchedulingIgnoredDuringExecution[${at}].podAffinityTerm`,
      })),
    ].flatMap(({ labelSelector, place }) =>
      labelSelector ? [] : [`${place}.labelSelector: ${matchesNothing}`],
    );
  });
}

/** Kinds of volumes whose time is over. */
function volumeWarnings({ volumes = [] }: PodSpec, field: string): string[] {
  return volumes.flatMap((volume, index) =>
    oldVolumes.flatMap(([name, since]) =>
      volume[name] ? [`${field}.volumes[${index}].${spelled(name)}: deprecated in ${since}`] : [],
    ),
  );
}

/** The real server has a name of its own for one. */
function spelled(name: string): string {
  return name === "storageos" ? "storageOS" : name;
}

const oldVolumes = [
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

/** Elements that are the same by what should tell them apart. */
function repeated<K extends string>(
  list: ReadonlyArray<Readonly<Partial<Record<K, string | undefined>>>> | undefined,
  key: K,
  field: string,
): string[] {
  const values = (list ?? []).map((element) => element[key] ?? "");
  const again = repeats(values, (value) => value);
  return values.flatMap((value, index) =>
    value !== "" && again[index] ? [`${field}[${index}].${key}: duplicate ${key} "${value}"`] : [],
  );
}

function namelessSecrets({ imagePullSecrets = [] }: PodSpec, field: string): string[] {
  return imagePullSecrets.flatMap(({ name }, index) =>
    name ? [] : [`${field}.imagePullSecrets[${index}].name: invalid empty name ""`],
  );
}

function graceWarnings({ terminationGracePeriodSeconds: grace = 0 }: PodSpec, field: string): string[] {
  const why = "must be >= 0; negative values are invalid and will be treated as 1";
  return grace < 0 ? [`${field}.terminationGracePeriodSeconds: ${why}`] : [];
}

/** A variable that is set again may say more than the one before, but has to say that too. */
function hiddenVariables({ env = [] }: Container, place: string): string[] {
  const again = repeats(env, ({ name }) => name);
  return env.flatMap(({ name, value = "", valueFrom }, index) => {
    const reference = `$(${name})`;
    const goesOn = !valueFrom && value !== reference && value.includes(reference);
    if (!again[index] || goesOn) return [];
    const what = `hides previous definition of "${name}"`;
    return [`${place}.env[${index}]: ${what}, which may be dropped when using apply`];
  });
}

function fractionalBytes({ resources }: Container, place: string): string[] {
  return byteResources.flatMap((resource) =>
    (["limits", "requests"] as const).flatMap((part) => {
      const amount = String(resources?.[part]?.[resource] ?? "");
      const where = `${place}.resources.${part}[${resource}]`;
      return amount.endsWith("m") && Number.parseInt(amount, 10) % 1000 !== 0
        ? [`${where}: fractional byte value "${amount}" is invalid, must be an integer`]
        : [];
    }),
  );
}

const byteResources = ["memory", "ephemeral-storage"] as const;

function placedPorts([{ ports = [] }, place]: Placed): PlacedPort[] {
  return ports.map((port, index) => [port, `${place}.ports[${index}]`]);
}
