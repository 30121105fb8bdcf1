import type { PodSpec, Toleration } from "../../api/types/core/v1.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../schema/index.ts";
import { labelErrors } from "../meta-validation.ts";
import { qualifiedNameFaults } from "../name-rules.ts";
import { addressErrors } from "./address-errors.ts";
import { affinityErrors } from "./affinity-errors.ts";
import { containerListErrors, idErrors } from "./container-errors.ts";
import { oneOf } from "./field-choices.ts";
import { nameErrors } from "./value-errors.ts";
import { volumeErrors } from "./volume-errors.ts";

const restartPolicies = ["Always", "OnFailure", "Never"];
const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];

/** What is wrong with the description of a Pod, at this path: `spec`, `spec.template.spec`. */
export function podSpecErrors(spec: PodSpec, field: string): FieldError[] {
  return [
    ...volumeErrors(spec, `${field}.volumes`),
    ...containerListErrors(spec, field),
    ...oneOf(spec.restartPolicy, restartPolicies, `${field}.restartPolicy`),
    ...oneOf(spec.dnsPolicy, dnsPolicies, `${field}.dnsPolicy`),
    ...(spec.nodeSelector ? labelErrors(spec.nodeSelector, `${field}.nodeSelector`) : []),
    ...securityErrors(spec, `${field}.securityContext`),
    ...affinityErrors(spec.affinity ?? {}, `${field}.affinity`),
    ...dnsErrors(spec, `${field}.dnsConfig`),
    ...gateErrors(spec, field),
    ...spreadErrors(spec, `${field}.topologySpreadConstraints`),
    ...placeErrors(spec, field),
    ...(spec.tolerations ?? []).flatMap((one, at) => tolerationErrors(one, `${field}.tolerations[${at}]`)),
    ...aliasErrors(spec, `${field}.hostAliases`),
  ];
}

function securityErrors({ securityContext = {} }: PodSpec, field: string): FieldError[] {
  return (["fsGroup", "runAsUser", "runAsGroup"] as const).flatMap((name) =>
    idErrors(securityContext[name], `${field}.${name}`),
  );
}

function dnsErrors({ dnsPolicy, dnsConfig }: PodSpec, field: string): FieldError[] {
  if (dnsPolicy === "None" && !dnsConfig)
    return [required(field, "must provide `dnsConfig` when `dnsPolicy` is None")];
  const servers = dnsConfig?.nameservers ?? [];
  if (dnsPolicy === "None" && servers.length === 0)
    return [
      required(`${field}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None"),
    ];
  return servers.flatMap((server, at) => addressErrors(server, `${field}.nameservers[${at}]`));
}

function gateErrors({ readinessGates = [], schedulingGates = [] }: PodSpec, field: string): FieldError[] {
  const path = `${field}.schedulingGates`;
  return [
    ...readinessGates.flatMap(({ conditionType: type }, at) =>
      qualifiedNameFaults(type).map((fault) =>
        invalid(`${field}.readinessGates[${at}].conditionType`, type, fault),
      ),
    ),
    ...schedulingGates.flatMap(({ name }, at) => [
      ...qualifiedNameFaults(name).map((fault) => invalid(`${path}[${at}]`, name, fault)),
      ...(schedulingGates.findIndex((other) => other.name === name) < at
        ? [duplicate(`${path}[${at}]`, name)]
        : []),
    ]),
  ];
}

const spreads = ["DoNotSchedule", "ScheduleAnyway"];

function spreadErrors({ topologySpreadConstraints = [] }: PodSpec, field: string): FieldError[] {
  return topologySpreadConstraints.flatMap(({ maxSkew, topologyKey, whenUnsatisfiable: otherwise }, at) => [
    ...(maxSkew > 0 ? [] : [invalid(`${field}[${at}].maxSkew`, maxSkew, "must be greater than zero")]),
    ...(topologyKey ? [] : [required(`${field}[${at}].topologyKey`, "can not be empty")]),
    ...(spreads.includes(otherwise)
      ? []
      : [notSupported(`${field}[${at}].whenUnsatisfiable`, otherwise, spreads)]),
  ]);
}

const mostSeconds = 2 ** 31 - 1;

function placeErrors(spec: PodSpec, field: string): FieldError[] {
  const { serviceAccountName, nodeName, activeDeadlineSeconds: deadline, hostname, subdomain } = spec;
  return [
    ...(serviceAccountName
      ? nameErrors("dns-subdomain", serviceAccountName, `${field}.serviceAccountName`)
      : []),
    ...(nodeName ? nameErrors("dns-subdomain", nodeName, `${field}.nodeName`) : []),
    ...(deadline !== undefined && (deadline < 1 || deadline > mostSeconds)
      ? [
          invalid(
            `${field}.activeDeadlineSeconds`,
            deadline,
            `must be between 1 and ${mostSeconds}, inclusive`,
          ),
        ]
      : []),
    ...(hostname ? nameErrors("dns-label", hostname, `${field}.hostname`) : []),
    ...(subdomain ? nameErrors("dns-label", subdomain, `${field}.subdomain`) : []),
  ];
}

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function tolerationErrors(toleration: Toleration, field: string): FieldError[] {
  const { key = "", effect = "", tolerationSeconds: seconds } = toleration;
  return [
    ...(key === "" ? [] : qualifiedNameFaults(key).map((fault) => invalid(`${field}.key`, key, fault))),
    ...operatorErrors(toleration, `${field}.operator`),
    ...(seconds !== undefined && effect !== "NoExecute"
      ? [invalid(`${field}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : []),
    ...(effect === "" || effects.includes(effect) ? [] : [notSupported(`${field}.effect`, effect, effects)]),
  ];
}

function operatorErrors(toleration: Toleration, field: string): FieldError[] {
  const { key = "", value = "" } = toleration;
  const operator: string = toleration.operator ?? "";
  const all = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  const supported = ["", "Equal", "Exists"];
  return [
    ...(key === "" && operator !== "Exists" ? [invalid(field, operator, all)] : []),
    ...(operator === "Exists" && value !== ""
      ? [invalid(field, value, "value must be empty when `operator` is 'Exists'")]
      : []),
    ...(supported.includes(operator) ? [] : [notSupported(field, operator, ["Equal", "Exists"])]),
  ];
}

function aliasErrors({ hostAliases = [] }: PodSpec, field: string): FieldError[] {
  return hostAliases.flatMap(({ ip, hostnames = [] }, at) => [
    ...addressErrors(ip, `${field}[${at}].ip`),
    ...hostnames.flatMap((name, place) =>
      nameErrors("dns-subdomain", name, `${field}[${at}].hostnames[${place}]`),
    ),
  ]);
}

/** What is wrong with a Pod of its own that would not be with a template: it may wait for its gates, and is run as it is. */
export function ownPodErrors(spec: PodSpec): FieldError[] {
  const waits = (spec.schedulingGates ?? []).length > 0 && Boolean(spec.nodeName);
  return [
    ...paddedImages(spec),
    ...(waits
      ? [forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared")]
      : []),
  ];
}

function paddedImages(spec: PodSpec): FieldError[] {
  return (["containers", "initContainers"] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ image = "" }, at) =>
      image.trim() === image
        ? []
        : [invalid(`spec.${list}[${at}].image`, image, "must not have leading or trailing whitespace")],
    ),
  );
}
