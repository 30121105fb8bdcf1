import type { KubeObject } from "../../api/index.ts";
import type { Container, ContainerPort, PodSpec } from "../../api/types/core/v1.ts";
import { nameFaults } from "../name-rules.ts";

/** What is odd about a Pod, though it is taken. `field` is where its spec stands. */
export function podWarnings(spec: PodSpec | undefined, field = "spec"): string[] {
  if (!spec) return [];
  const containers = placedContainers(spec, field);
  return [
    ...nodeWarnings(spec, field),
    ...spreadWarnings(spec, field),
    ...repeated(spec.hostAliases, "ip", `${field}.hostAliases`),
    ...repeated(spec.imagePullSecrets, "name", `${field}.imagePullSecrets`),
    ...containers.flatMap(([container, place]) => hiddenVariables(container, place)),
    ...containers.flatMap(([container, place]) => fractionalBytes(container, place)),
    ...portWarnings(containers),
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

function nodeWarnings({ nodeSelector = {} }: PodSpec, field: string): string[] {
  return Object.keys(nodeSelector).flatMap((label) => {
    const [since, instead] = oldNodeLabels[label] ?? [];
    const where = `${field}.nodeSelector[${label}]`;
    return since ? [`${where}: deprecated since ${since}; use "${instead}" instead`] : [];
  });
}

const oldNodeLabels: Readonly<Record<string, readonly [since: string, instead: string] | undefined>> = {
  "beta.kubernetes.io/arch": ["v1.14", "kubernetes.io/arch"],
  "beta.kubernetes.io/os": ["v1.14", "kubernetes.io/os"],
  "failure-domain.beta.kubernetes.io/region": ["v1.17", "topology.kubernetes.io/region"],
  "failure-domain.beta.kubernetes.io/zone": ["v1.17", "topology.kubernetes.io/zone"],
  "beta.kubernetes.io/instance-type": ["v1.17", "node.kubernetes.io/instance-type"],
};

function spreadWarnings({ topologySpreadConstraints = [] }: PodSpec, field: string): string[] {
  return topologySpreadConstraints.flatMap(({ labelSelector }, index) =>
    labelSelector
      ? []
      : [
          `${field}.topologySpreadConstraints[${index}].labelSelector: a null labelSelector results in matching no pod`,
        ],
  );
}

/** Elements that are the same by what should tell them apart. */
function repeated<K extends string>(
  list: ReadonlyArray<Readonly<Partial<Record<K, string | undefined>>>> | undefined,
  key: K,
  field: string,
): string[] {
  const values = (list ?? []).map((element) => element[key] ?? "");
  return values.flatMap((value, index) =>
    value !== "" && values.indexOf(value) < index
      ? [`${field}[${index}].${key}: duplicate ${key} "${value}"`]
      : [],
  );
}

function hiddenVariables({ env = [] }: Container, place: string): string[] {
  const names = env.map(({ name }) => name);
  return names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? [
          `${place}.env[${index}]: hides previous definition of "${name}", which may be dropped when using apply`,
        ]
      : [],
  );
}

function fractionalBytes({ resources }: Container, place: string): string[] {
  return (["limits", "requests"] as const).flatMap((part) =>
    byteResources.flatMap((resource) => {
      const amount = String(resources?.[part]?.[resource] ?? "");
      const where = `${place}.resources.${part}[${resource}]`;
      return amount.endsWith("m") && Number.parseInt(amount, 10) % 1000 !== 0
        ? [`${where}: fractional byte value "${amount}" is invalid, must be an integer`]
        : [];
    }),
  );
}

const byteResources = ["memory", "ephemeral-storage"] as const;

/** Ports that are declared again, or named as another, in any container. */
function portWarnings(containers: readonly Placed[]): string[] {
  const ports = containers.flatMap(([{ ports: declared = [] }, place]) =>
    declared.map((port, index): PlacedPort => [port, `${place}.ports[${index}]`]),
  );
  return [declaredAgain, namedAgain].flatMap((warn) =>
    ports.flatMap((port, index) => warn(port, ports.slice(0, index))),
  );
}

type PlacedPort = readonly [port: ContainerPort, place: string];

function declaredAgain([port, place]: PlacedPort, earlier: readonly PlacedPort[]): string[] {
  return earlier.flatMap(([other, where]) =>
    samePort(port, other) ? [`${place}: duplicate port definition with ${where}`] : [],
  );
}

function namedAgain([{ name }, place]: PlacedPort, earlier: readonly PlacedPort[]): string[] {
  const [, first] = earlier.find(([other]) => name && other.name === name) ?? [];
  if (!first) return [];
  const result = `services and probes that select ports by name will use ${first}`;
  return [`${place}: duplicate port name "${name}" with ${first}, ${result}`];
}

function samePort(port: ContainerPort, other: ContainerPort): boolean {
  return (["containerPort", "protocol", "hostPort", "hostIP"] as const).every(
    (part) => (port[part] ?? "") === (other[part] ?? ""),
  );
}
