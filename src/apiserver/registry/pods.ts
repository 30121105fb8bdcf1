import type { Pod, PodCondition, PodSpec, PodStatus, PodTemplate } from "../../api/types/core/v1.ts";
import { equal } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { ephemeralErrors, podChange, resizeErrors, takeEphemeral, takeResources } from "./pod-changes.ts";
import { defaultHostPorts, defaultPodSpec, defaultRequests } from "./pod-defaults.ts";
import { ownPodErrors, podSpecErrors } from "./pod-errors.ts";
import { admitPriority } from "./pod-priority.ts";
import { admitRuntime } from "./pod-runtime.ts";
import { podStatusErrors } from "./pod-status-errors.ts";
import { nameWarnings, podWarnings } from "./pod-warnings.ts";
import { qosClassOf } from "./qos-class.ts";

export const pods: readonly KindEntry[] = [
  entry<Pod>("/Pod", {
    generation: "spec",
    returnsDeleted: true,
    statusKeeps: ["spec", "metadata.deletionTimestamp", "metadata.ownerReferences"],
    graceSeconds: podGrace,
    default({ spec, status }) {
      defaultPodSpec(spec);
      defaultHostPorts(spec);
      defaultRequests(spec);
      spec.enableServiceLinks ??= true;
      if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
      if (status) matchAddresses(status);
    },
    admit: ({ spec }, context) => {
      tolerateForAWhile(spec);
      return admitPriority(spec, context) ?? admitRuntime(spec, context);
    },
    prepareCreate(pod, { now }) {
      pod.status = { phase: "Pending", qosClass: qosClassOf(pod.spec), ...gated(pod.spec, now) };
    },
    prepareUpdate: ({ spec }) => tolerateForAWhile(spec),
    prepareStatus(pod, before) {
      pod.status = { ...pod.status, qosClass: before.status?.qosClass };
    },
    parts: {
      ephemeralcontainers: { take: takeEphemeral, validate: ephemeralErrors },
      resize: { take: takeResources, validate: resizeErrors },
    },
    validate: ({ spec }) => [...podSpecErrors(spec, "spec"), ...ownPodErrors(spec)],
    validateUpdate: podChange,
    /** A change is not looked at again. */
    warnings: (pod, before) =>
      before ? [] : [...nameWarnings(pod, before, "in the Pod's hostname"), ...podWarnings(pod.spec)],
    validateStatus: podStatusErrors,
    fields: {
      "spec.nodeName": ({ spec }) => spec.nodeName ?? "",
      "spec.host": ({ spec }) => spec.nodeName ?? "",
      "spec.restartPolicy": ({ spec }) => spec.restartPolicy ?? "",
      "spec.schedulerName": ({ spec }) => spec.schedulerName ?? "",
      "spec.serviceAccountName": ({ spec }) => spec.serviceAccountName ?? "",
      "spec.hostNetwork": ({ spec }) => String(spec.hostNetwork ?? false),
      "status.phase": ({ status }) => status?.phase ?? "",
      "status.podIP": ({ status }) => status?.podIP ?? "",
      "status.podIPs": ({ status }) => status?.podIP ?? "",
      "status.nominatedNodeName": ({ status }) => status?.nominatedNodeName ?? "",
    },
    unknownField: (field) => `field label not supported: ${field}`,
  }),
  entry<PodTemplate>("/PodTemplate", {
    generation: ({ template }, before) => !equal(template, before.template),
    returnsDeleted: true,
    default: ({ template }) => defaultPodSpec(template?.spec ?? { containers: [] }),
    validate: ({ template }) => podSpecErrors(template?.spec ?? { containers: [] }, "template.spec"),
  }),
];

/** A Pod that runs nowhere, or no longer, goes at once. One that is going already may only go sooner. */
function podGrace({ spec, status, metadata }: Pod, asked: number | undefined): number {
  if (!spec.nodeName || status?.phase === "Succeeded" || status?.phase === "Failed") return 0;
  const wanted = asked ?? metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 0;
  return wanted < 0 ? 1 : wanted;
}

/** A Pod's address stands in two fields, of which the older one is right. */
function matchAddresses(status: PodStatus): void {
  const [first] = status.podIPs ?? [];
  if (status.podIP && status.podIP !== first?.ip) status.podIPs = [{ ip: status.podIP }];
  else if (first) status.podIP = first.ip;
}

/** A Pod that waits at a gate says so. */
function gated({ schedulingGates = [] }: PodSpec, now: string): Pick<PodStatus, "conditions"> {
  if (schedulingGates.length === 0) return {};
  const condition: PodCondition = {
    type: "PodScheduled",
    status: "False",
    // Never probed, which Go writes as null where our types know nothing of it.
    lastProbeTime: null as unknown as undefined,
    lastTransitionTime: now,
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
  };
  return { conditions: [condition] };
}

/** A node may be gone for five minutes before its Pods go, unless they say otherwise. */
function tolerateForAWhile(spec: PodSpec): void {
  spec.tolerations ??= [];
  const { tolerations } = spec;
  for (const key of ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"]) {
    const tolerated = tolerations.some(
      (one) => (!one.key || one.key === key) && (!one.effect || one.effect === "NoExecute"),
    );
    if (!tolerated)
      tolerations.push({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 });
  }
}
