import type { PodSpec, TopologySpreadConstraint } from "../../api/types/core/v1.ts";
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
import { repeats } from "../repeats.ts";
import { addressErrors } from "./address-errors.ts";
import { affinityErrors } from "./affinity-errors.ts";
import { podClaimErrors } from "./claim-reference-errors.ts";
import { containerListErrors } from "./container-errors.ts";
import { dnsConfigErrors } from "./dns-config-errors.ts";
import { oneOf } from "./field-choices.ts";
import { podSecurityErrors } from "./security-errors.ts";
import { selectorErrors } from "./selector-errors.ts";
import { tolerationErrors } from "./toleration-errors.ts";
import { nameErrors } from "./value-errors.ts";
import { volumeErrors } from "./volume-errors.ts";

const restartPolicies = ["Always", "OnFailure", "Never"];
const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];

/** What is wrong with the description of a Pod, at this path: `spec`, `spec.template.spec`. */
export function podSpecErrors(spec: PodSpec, field: string): FieldError[] {
  return [
    ...volumeErrors(spec, `${field}.volumes`),
    ...podClaimErrors(spec, `${field}.resourceClaims`),
    ...containerListErrors(spec, field),
    ...oneOf(spec.restartPolicy, restartPolicies, `${field}.restartPolicy`),
    ...oneOf(spec.dnsPolicy, dnsPolicies, `${field}.dnsPolicy`),
    ...(spec.nodeSelector ? labelErrors(spec.nodeSelector, `${field}.nodeSelector`) : []),
    ...podSecurityErrors(spec, `${field}.securityContext`),
    ...affinityErrors(spec.affinity ?? {}, `${field}.affinity`),
    ...dnsConfigErrors(spec, `${field}.dnsConfig`),
    ...gateErrors(spec, field),
    ...spreadErrors(spec, `${field}.topologySpreadConstraints`),
    ...placeErrors(spec, field),
    ...tolerationErrors(spec.tolerations ?? [], `${field}.tolerations`),
    ...aliasErrors(spec, `${field}.hostAliases`),
    ...classErrors(spec, field),
  ];
}

function gateErrors({ readinessGates = [], schedulingGates = [] }: PodSpec, field: string): FieldError[] {
  const path = `${field}.schedulingGates`;
  const again = repeats(schedulingGates, ({ name }) => name);
  return [
    ...readinessGates.flatMap(({ conditionType: type }, at) =>
      qualifiedNameFaults(type).map((fault) =>
        invalid(`${field}.readinessGates[${at}].conditionType`, type, fault),
      ),
    ),
    ...schedulingGates.flatMap(({ name }, at) => [
      ...qualifiedNameFaults(name).map((fault) => invalid(`${path}[${at}]`, name, fault)),
      ...(again[at] ? [duplicate(`${path}[${at}]`, name)] : []),
    ]),
  ];
}

const spreads = ["DoNotSchedule", "ScheduleAnyway"];

function spreadErrors({ topologySpreadConstraints = [] }: PodSpec, field: string): FieldError[] {
  const again = repeats(topologySpreadConstraints.toReversed(), spreadKey).reverse();
  return topologySpreadConstraints.flatMap((constraint, at) => [
    ...constraintErrors(constraint, `${field}[${at}]`),
    ...(again[at]
      ? [duplicate(`${field}[${at}].{topologyKey, whenUnsatisfiable}`, spreadKey(constraint))]
      : []),
    ...(constraint.labelSelector
      ? selectorErrors(constraint.labelSelector, `${field}[${at}].labelSelector`)
      : []),
  ]);
}

function constraintErrors(constraint: TopologySpreadConstraint, field: string): FieldError[] {
  const { maxSkew, topologyKey, whenUnsatisfiable: otherwise, minDomains } = constraint;
  return [
    ...positiveErrors(maxSkew, `${field}.maxSkew`),
    ...(topologyKey ? [] : [required(`${field}.topologyKey`, "can not be empty")]),
    ...(spreads.includes(otherwise) ? [] : [notSupported(`${field}.whenUnsatisfiable`, otherwise, spreads)]),
    ...(minDomains === undefined ? [] : positiveErrors(minDomains, `${field}.minDomains`)),
    ...(minDomains !== undefined && otherwise !== "DoNotSchedule"
      ? [
          invalid(
            `${field}.minDomains`,
            minDomains,
            `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${otherwise}`,
          ),
        ]
      : []),
  ];
}

function positiveErrors(value: number, field: string): FieldError[] {
  return value > 0 ? [] : [invalid(field, value, "must be greater than zero")];
}

/** What tells constraints apart, as errors print it. */
function spreadKey({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string {
  return `{${topologyKey}, ${whenUnsatisfiable}}`;
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

function aliasErrors({ hostAliases = [] }: PodSpec, field: string): FieldError[] {
  return hostAliases.flatMap(({ ip, hostnames = [] }, at) => [
    ...addressErrors(ip, `${field}[${at}].ip`),
    ...hostnames.flatMap((name, place) =>
      nameErrors("dns-subdomain", name, `${field}[${at}].hostnames[${place}]`),
    ),
  ]);
}

const preemptions = ["PreemptLowerPriority", "Never"];

function classErrors(
  { priorityClassName, runtimeClassName, preemptionPolicy }: PodSpec,
  field: string,
): FieldError[] {
  return [
    ...(priorityClassName
      ? nameErrors("dns-subdomain", priorityClassName, `${field}.priorityClassName`)
      : []),
    ...(runtimeClassName === undefined
      ? []
      : nameErrors("dns-subdomain", runtimeClassName, `${field}.runtimeClassName`)),
    ...(preemptionPolicy === undefined
      ? []
      : oneOf(preemptionPolicy, preemptions, `${field}.preemptionPolicy`)),
  ];
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
