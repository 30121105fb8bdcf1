import { isIPv4 } from "node:net";
import type { ContainerStatus, Pod, PodStatus } from "../../api/types/core/v1.ts";
import { type FieldError, forbidden, invalid } from "../../schema/index.ts";
import { qualifiedNameProblems } from "../validation/name-rules.ts";
import { firstByKey } from "../validation/repeats.ts";
import { addressErrors } from "./address-errors.ts";
import { nameErrors } from "./value-errors.ts";

/** Returns the errors in the status of a Pod, compared with the stored Pod. */
export function podStatusErrors({ status = {} }: Pod, before: Pod): FieldError[] {
  return [
    ...conditionErrors(status, "status.conditions"),
    ...nominationErrors(status.nominatedNodeName ?? "", before),
    ...generationErrors(status.observedGeneration, "status.observedGeneration"),
    ...transitionErrors(status, before),
    ...addressListErrors(status.podIPs, before.status?.podIPs, "status.podIPs"),
    ...hostAddressErrors(status, before.status),
  ];
}

const systemConditions: ReadonlySet<string> = new Set(["PodScheduled", "Ready", "Initialized"]);

function conditionErrors({ conditions = [] }: PodStatus, field: string): FieldError[] {
  return conditions.flatMap(({ type = "", observedGeneration }, index) => [
    ...generationErrors(observedGeneration, `${field}[${index}].observedGeneration`),
    ...(systemConditions.has(type)
      ? []
      : qualifiedNameProblems(type).map((problem) => invalid(`${field}[${index}].Type`, type, problem))),
  ]);
}

function generationErrors(generation: number | undefined, field: string): FieldError[] {
  return (generation ?? 0) < 0 ? [invalid(field, generation, "must be a non-negative integer")] : [];
}

/** Returns the errors in a nominated node name. A bound Pod cannot have one. */
function nominationErrors(name: string, { spec, status }: Pod): FieldError[] {
  const field = "status.nominatedNodeName";
  if (name === "" || name === status?.nominatedNodeName) return [];
  return [
    ...nameErrors("dns-subdomain", name, field),
    ...(spec.nodeName ? [forbidden(field, "may not be set on pods that are already bound to a node")] : []),
  ];
}

/** Returns an error if a terminated container runs again although its restart policy does not restart it. */
function transitionErrors(status: PodStatus, { spec, status: before = {} }: Pod): FieldError[] {
  const lists = [
    ["containerStatuses", spec.containers ?? []],
    ["initContainerStatuses", spec.initContainers ?? []],
    ["ephemeralContainerStatuses", []],
  ] as const;
  return lists.flatMap(([list, containers]) => {
    const statuses = firstByKey(status[list] ?? [], ({ name }) => name);
    const byName = firstByKey(containers, ({ name }) => name);
    return (before[list] ?? []).flatMap((old, index) => {
      const current = statuses.get(old.name);
      const unchanged = !old.state?.terminated || !current || current.state?.terminated;
      const policy = byName.get(old.name)?.restartPolicy;
      const restarts = list !== "ephemeralContainerStatuses" && mayRestart(old, policy ?? spec.restartPolicy);
      return unchanged || restarts
        ? []
        : [forbidden(`status.${list}[${index}].state`, "may not be transitioned to non-terminated state")];
    });
  });
}

function mayRestart({ state }: ContainerStatus, policy: string | undefined): boolean {
  if (policy === "OnFailure") return state?.terminated?.exitCode !== 0;
  return policy === "Always";
}

type Address = { readonly ip?: string | undefined };

/**
 * Returns the errors in a list of addresses. It has at most one address of each family; existing addresses are not
 * checked.
 */
function addressListErrors(
  addresses: readonly Address[] = [],
  before: readonly Address[] = [],
  field: string,
): FieldError[] {
  const oldAddresses = new Set(before.map(({ ip }) => ip));
  const families = addresses.map(({ ip = "" }) => isIPv4(ip));
  const atMostOnePerFamily = addresses.length < 2 || (addresses.length === 2 && families[0] !== families[1]);
  return [
    ...addresses.flatMap(({ ip = "" }, index) =>
      oldAddresses.has(ip) ? [] : addressErrors(ip, `${field}[${index}]`),
    ),
    ...(atMostOnePerFamily
      ? []
      : [
          invalid(
            field,
            addresses.map(({ ip = "" }) => ({ IP: ip })),
            "may specify no more than one IP for each IP family",
          ),
        ]),
  ];
}

function hostAddressErrors(status: PodStatus, before: PodStatus | undefined): FieldError[] {
  const [first] = status.hostIPs ?? [];
  const field = "status.hostIPs";
  if (!first) return [];
  return [
    ...(first.ip === (status.hostIP ?? "")
      ? []
      : [invalid(`${field}[0].ip`, first.ip, "must be equal to `hostIP`")]),
    ...addressListErrors(status.hostIPs, before?.hostIPs, field),
  ];
}
