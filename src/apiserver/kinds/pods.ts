import type { Container, Pod, PodSpec, PodTemplate } from "../../api/types/core/v1.ts";
import { equal, type FieldError, forbidden } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { containersOf, defaultPodSpec } from "./pod-defaults.ts";
import { podSpecErrors } from "./pod-errors.ts";

export const pods: readonly KindEntry[] = [
  entry<Pod>("/Pod", {
    generation: "spec",
    returnsDeleted: true,
    statusKeeps: ["spec", "metadata.deletionTimestamp", "metadata.ownerReferences"],
    graceSeconds: podGrace,
    default({ spec }) {
      defaultPodSpec(spec);
      spec.enableServiceLinks ??= true;
    },
    prepareCreate(pod) {
      pod.status = { phase: "Pending", qosClass: qosClassOf(pod.spec) };
      admit(pod.spec);
    },
    validate: ({ spec }) => podSpecErrors(spec, "spec"),
    validateUpdate: podUpdateErrors,
    fields: {
      "spec.nodeName": ({ spec }) => spec.nodeName ?? "",
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

/** What the admission plugins of a real server give every Pod. */
function admit(spec: PodSpec): void {
  spec.priority ??= 0;
  spec.preemptionPolicy ??= "PreemptLowerPriority";
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

/** How early a Pod goes when its node is short of memory: the latest if all it may use is promised to it. */
function qosClassOf(spec: PodSpec): "BestEffort" | "Burstable" | "Guaranteed" {
  const containers = containersOf(spec);
  if (containers.every(({ resources }) => !asksFor(resources?.requests) && !asksFor(resources?.limits)))
    return "BestEffort";
  return containers.every(isGuaranteed) ? "Guaranteed" : "Burstable";
}

function asksFor(amounts: Readonly<Record<string, unknown>> | undefined): boolean {
  return amounts?.cpu !== undefined || amounts?.memory !== undefined;
}

function isGuaranteed({ resources }: Container): boolean {
  const { limits = {}, requests = {} } = resources ?? {};
  return ["cpu", "memory"].every((name) => limits[name] !== undefined && requests[name] === limits[name]);
}

const mayChange =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`," +
  "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)," +
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

function podUpdateErrors({ spec }: Pod, { spec: before }: Pod): FieldError[] {
  if (containersOf(spec).length !== containersOf(before).length) {
    return [forbidden("spec.containers", "pod updates may not add or remove containers")];
  }
  return equal(fixedParts(spec), fixedParts(before)) ? [] : [forbidden("spec", mayChange)];
}

/** All of a Pod that has to stay. */
function fixedParts(spec: PodSpec): unknown {
  const { activeDeadlineSeconds: _a, tolerations: _t, schedulingGates: _s, ...rest } = spec;
  const imageless = (list: readonly Container[] = []): unknown => list.map(({ image: _, ...other }) => other);
  return { ...rest, containers: imageless(spec.containers), initContainers: imageless(spec.initContainers) };
}
