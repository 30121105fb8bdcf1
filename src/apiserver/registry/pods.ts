import type { Pod, PodCondition, PodSpec, PodStatus, PodTemplate } from "../../api/types/core/v1.ts";
import { equal } from "../../schema/index.ts";
import { type KindEntry, kindEntry } from "./kind-strategy.ts";
import { defaultHostPorts, defaultPodSpec, defaultRequests } from "./pod-defaults.ts";
import { podSpecErrors, standalonePodErrors } from "./pod-errors.ts";
import { admitPriority } from "./pod-priority.ts";
import { admitRuntime } from "./pod-runtime.ts";
import { podStatusErrors } from "./pod-status-errors.ts";
import {
  ephemeralErrors,
  podUpdateErrors,
  resizeErrors,
  withEphemeralContainers,
  withResources,
} from "./pod-update-errors.ts";
import { nameWarnings, podWarnings } from "./pod-warnings.ts";
import { qosClassOf } from "./qos-class.ts";

export const pods: readonly KindEntry[] = [
  kindEntry<Pod>("/Pod", {
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
      if (status) syncPodIps(status);
    },
    admit: ({ spec }, context) => {
      addDefaultTolerations(spec);
      return admitPriority(spec, context) ?? admitRuntime(spec, context);
    },
    prepareCreate(pod, { now }) {
      pod.status = { phase: "Pending", qosClass: qosClassOf(pod.spec), ...gatedConditions(pod.spec, now) };
    },
    prepareUpdate: ({ spec }) => addDefaultTolerations(spec),
    prepareStatus(pod, before) {
      pod.status = { ...pod.status, qosClass: before.status?.qosClass };
    },
    parts: {
      ephemeralcontainers: { take: withEphemeralContainers, validate: ephemeralErrors },
      resize: { take: withResources, validate: resizeErrors },
    },
    validate: ({ spec }) => [...podSpecErrors(spec, "spec"), ...standalonePodErrors(spec)],
    validateUpdate: podUpdateErrors,
    /** Updates return no warnings. */
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
  kindEntry<PodTemplate>("/PodTemplate", {
    generation: ({ template }, before) => !equal(template, before.template),
    returnsDeleted: true,
    default: ({ template }) => defaultPodSpec(template?.spec ?? { containers: [] }),
    validate: ({ template }) => podSpecErrors(template?.spec ?? { containers: [] }, "template.spec"),
  }),
];

/** Returns the grace period in seconds. It is 0 for a Pod that is not scheduled or has finished. */
function podGrace({ spec, status, metadata }: Pod, requested: number | undefined): number {
  if (!spec.nodeName || status?.phase === "Succeeded" || status?.phase === "Failed") return 0;
  const seconds = requested ?? metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 0;
  return seconds < 0 ? 1 : seconds;
}

/** Makes `podIP` and `podIPs` consistent. If they differ, `podIP` wins. */
function syncPodIps(status: PodStatus): void {
  const [first] = status.podIPs ?? [];
  if (status.podIP && status.podIP !== first?.ip) status.podIPs = [{ ip: status.podIP }];
  else if (first) status.podIP = first.ip;
}

/** Returns the PodScheduled condition of a Pod with scheduling gates. */
function gatedConditions({ schedulingGates = [] }: PodSpec, now: string): Pick<PodStatus, "conditions"> {
  if (schedulingGates.length === 0) return {};
  const condition: PodCondition = {
    type: "PodScheduled",
    status: "False",
    // Go writes the missing probe time as null, which our types do not allow.
    lastProbeTime: null as unknown as undefined,
    lastTransitionTime: now,
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
  };
  return { conditions: [condition] };
}

/** Tolerates an unreachable node for five minutes, unless the Pod has such a toleration. */
function addDefaultTolerations(spec: PodSpec): void {
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
