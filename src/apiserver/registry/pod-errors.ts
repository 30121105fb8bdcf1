import type { PodSpec, TopologySpreadConstraint } from "../../api/types/core/v1.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../schema/index.ts";
import { labelErrors } from "../validation/meta-validation.ts";
import { qualifiedNameProblems } from "../validation/name-rules.ts";
import { repeats } from "../validation/repeats.ts";
import { addressErrors } from "./address-errors.ts";
import { affinityErrors } from "./affinity-errors.ts";
import { containerListErrors } from "./container-errors.ts";
import { dnsConfigErrors } from "./dns-config-errors.ts";
import { oneOf } from "./field-choices.ts";
import { podClaimErrors } from "./resource-claim-errors.ts";
import { podSecurityErrors } from "./security-errors.ts";
import { selectorErrors } from "./selector-errors.ts";
import { tolerationErrors } from "./toleration-errors.ts";
import { nameErrors } from "./value-errors.ts";
import { volumeErrors } from "./volume-errors.ts";

const restartPolicies = ["Always", "OnFailure", "Never"];
const dnsPolicies = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];

/** Returns the errors in the spec of a Pod at the path `field`: `spec`, `spec.template.spec`. */
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
    ...placementErrors(spec, field),
    ...tolerationErrors(spec.tolerations ?? [], `${field}.tolerations`),
    ...aliasErrors(spec, `${field}.hostAliases`),
    ...classErrors(spec, field),
  ];
}

function gateErrors({ readinessGates = [], schedulingGates = [] }: PodSpec, field: string): FieldError[] {
  const path = `${field}.schedulingGates`;
  const isDuplicate = repeats(schedulingGates, ({ name }) => name);
  return [
    ...readinessGates.flatMap(({ conditionType: type }, index) =>
      qualifiedNameProblems(type).map((problem) =>
        invalid(`${field}.readinessGates[${index}].conditionType`, type, problem),
      ),
    ),
    ...schedulingGates.flatMap(({ name }, index) => [
      ...qualifiedNameProblems(name).map((problem) => invalid(`${path}[${index}]`, name, problem)),
      ...(isDuplicate[index] ? [duplicate(`${path}[${index}]`, name)] : []),
    ]),
  ];
}

const unsatisfiableActions = ["DoNotSchedule", "ScheduleAnyway"];

function spreadErrors({ topologySpreadConstraints = [] }: PodSpec, field: string): FieldError[] {
  const isDuplicate = repeats(topologySpreadConstraints.toReversed(), spreadKey).reverse();
  return topologySpreadConstraints.flatMap((constraint, index) => [
    ...constraintErrors(constraint, `${field}[${index}]`),
    ...(isDuplicate[index]
      ? [duplicate(`${field}[${index}].{topologyKey, whenUnsatisfiable}`, spreadKey(constraint))]
      : []),
    ...(constraint.labelSelector
      ? selectorErrors(constraint.labelSelector, `${field}[${index}].labelSelector`)
      : []),
  ]);
}

function constraintErrors(constraint: TopologySpreadConstraint, field: string): FieldError[] {
  const { maxSkew, topologyKey, whenUnsatisfiable: action, minDomains } = constraint;
  return [
    ...positiveErrors(maxSkew, `${field}.maxSkew`),
    ...(topologyKey ? [] : [required(`${field}.topologyKey`, "can not be empty")]),
    ...(unsatisfiableActions.includes(action)
      ? []
      : [notSupported(`${field}.whenUnsatisfiable`, action, unsatisfiableActions)]),
    ...(minDomains === undefined ? [] : positiveErrors(minDomains, `${field}.minDomains`)),
    ...(minDomains !== undefined && action !== "DoNotSchedule"
      ? [
          invalid(
            `${field}.minDomains`,
            minDomains,
            `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`,
          ),
        ]
      : []),
  ];
}

function positiveErrors(value: number, field: string): FieldError[] {
  return value > 0 ? [] : [invalid(field, value, "must be greater than zero")];
}

/** Returns the key by which constraints must be unique, as errors print it. */
function spreadKey({ topologyKey, whenUnsatisfiable }: TopologySpreadConstraint): string {
  return `{${topologyKey}, ${whenUnsatisfiable}}`;
}

const maxSeconds = 2 ** 31 - 1;

function placementErrors(spec: PodSpec, field: string): FieldError[] {
  const { serviceAccountName, nodeName, activeDeadlineSeconds: deadline, hostname, subdomain } = spec;
  return [
    ...(serviceAccountName
      ? nameErrors("dns-subdomain", serviceAccountName, `${field}.serviceAccountName`)
      : []),
    ...(nodeName ? nameErrors("dns-subdomain", nodeName, `${field}.nodeName`) : []),
    ...(deadline !== undefined && (deadline < 1 || deadline > maxSeconds)
      ? [
          invalid(
            `${field}.activeDeadlineSeconds`,
            deadline,
            `must be between 1 and ${maxSeconds}, inclusive`,
          ),
        ]
      : []),
    ...(hostname ? nameErrors("dns-label", hostname, `${field}.hostname`) : []),
    ...(subdomain ? nameErrors("dns-label", subdomain, `${field}.subdomain`) : []),
  ];
}

function aliasErrors({ hostAliases = [] }: PodSpec, field: string): FieldError[] {
  return hostAliases.flatMap(({ ip, hostnames = [] }, index) => [
    ...addressErrors(ip, `${field}[${index}].ip`),
    ...hostnames.flatMap((name, nameIndex) =>
      nameErrors("dns-subdomain", name, `${field}[${index}].hostnames[${nameIndex}]`),
    ),
  ]);
}

const preemptionPolicies = ["PreemptLowerPriority", "Never"];

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
      : oneOf(preemptionPolicy, preemptionPolicies, `${field}.preemptionPolicy`)),
  ];
}

/**
 * Returns the errors that apply to Pods and not to templates: in image names, and for a node name on a Pod with
 * scheduling gates.
 */
export function standalonePodErrors(spec: PodSpec): FieldError[] {
  const boundAndGated = (spec.schedulingGates ?? []).length > 0 && Boolean(spec.nodeName);
  return [
    ...imageWhitespaceErrors(spec),
    ...(boundAndGated
      ? [forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared")]
      : []),
  ];
}

function imageWhitespaceErrors(spec: PodSpec): FieldError[] {
  return (["containers", "initContainers"] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ image = "" }, index) =>
      image.trim() === image
        ? []
        : [invalid(`spec.${list}[${index}].image`, image, "must not have leading or trailing whitespace")],
    ),
  );
}
