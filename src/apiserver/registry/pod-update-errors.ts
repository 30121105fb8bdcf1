import type { Affinity, Container, Pod, PodSpec, Toleration } from "../../api/types/core/v1.ts";
import { equal, type FieldError, forbidden, goJson, invalid, required } from "../../schema/index.ts";
import { firstByKey } from "../validation/repeats.ts";
import { gatedPodErrors } from "./gated-pod-errors.ts";
import { internalDiff } from "./internal-form.ts";
import { podSpecErrors } from "./pod-errors.ts";
import { qosClassOf } from "./qos-class.ts";
import { tolerationErrors } from "./toleration-errors.ts";

const immutableDetail =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`," +
  "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)," +
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/** Returns the errors for an update of a Pod. Most fields are immutable. */
export function podUpdateErrors({ spec }: Pod, { spec: before }: Pod): FieldError[] {
  if (equal(spec, before)) return [];
  const lists = ["containers", "initContainers"] as const;
  const changedList = lists.find((list) => (spec[list] ?? []).length !== (before[list] ?? []).length);
  if (changedList) return [forbidden(`spec.${changedList}`, "pod updates may not add or remove containers")];
  const images = lists.flatMap((list) => imageErrors(spec[list] ?? [], `spec.${list}`));
  const deadline = deadlineErrors(spec.activeDeadlineSeconds, before.activeDeadlineSeconds);
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return [...images, ...deadline];
  const diff = internalDiff("PodSpec", before, withMutableFields(spec, before));
  return [
    ...images,
    ...deadline,
    ...addedTolerationErrors(spec, before),
    ...gateErrors(spec, before),
    ...(hasSchedulingGates(before) ? gatedPodErrors(spec, before) : []),
    ...(diff === "" ? [] : [forbidden("spec", `${immutableDetail}\n${diff}`)]),
  ];
}

function imageErrors(containers: readonly Container[], field: string): FieldError[] {
  return containers.flatMap(({ image = "" }, index) => {
    const path = `${field}[${index}].image`;
    if (image === "") return [required(path)];
    return image.trim() === image
      ? []
      : [invalid(path, image, "must not have leading or trailing whitespace")];
  });
}

const maxSeconds = 2 ** 31 - 1;

function deadlineErrors(deadline: number | undefined, before: number | undefined): FieldError[] {
  const field = "spec.activeDeadlineSeconds";
  if (deadline === undefined) {
    const detail = "must not update from a positive integer to nil value";
    return before === undefined ? [] : [invalid(field, null, detail)];
  }
  if (deadline < 0 || deadline > maxSeconds)
    return [invalid(field, deadline, `must be between 0 and ${maxSeconds}, inclusive`)];
  const increased = before !== undefined && deadline > before;
  return increased ? [invalid(field, deadline, "must be less than or equal to previous value")] : [];
}

/** Returns an error if an existing toleration is removed or changed, except in its tolerationSeconds. */
function addedTolerationErrors(
  { tolerations = [] }: PodSpec,
  { tolerations: before = [] }: PodSpec,
): FieldError[] {
  const current = new Set(tolerations.map(withoutSeconds));
  const unchanged = before.every((toleration) => current.has(withoutSeconds(toleration)));
  if (unchanged) return tolerationErrors(tolerations, "spec.tolerations");
  return [
    forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds"),
  ];
}

function gateErrors(
  { schedulingGates = [] }: PodSpec,
  { schedulingGates: before = [] }: PodSpec,
): FieldError[] {
  const oldNames = new Set(before.map(({ name }) => name));
  return schedulingGates.flatMap(({ name }, index) =>
    oldNames.has(name)
      ? []
      : [
          forbidden(
            `spec.schedulingGates[${index}].name`,
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  );
}

/**
 * Returns the new spec with the mutable fields of the old one, so that a comparison shows forbidden changes only. The
 * node selection of a Pod with scheduling gates is mutable.
 */
function withMutableFields(spec: PodSpec, before: PodSpec): PodSpec {
  const { activeDeadlineSeconds, schedulingGates, tolerations, nodeSelector } = before;
  const images = (list: Container[] | undefined, old: readonly Container[] = []): Container[] | undefined =>
    list?.map((container, index) => ({ ...container, image: old[index]?.image }));
  return {
    ...spec,
    activeDeadlineSeconds,
    schedulingGates,
    ...(hasSchedulingGates(before) && {
      nodeSelector,
      affinity: withNodeAffinity(spec.affinity, before.affinity),
    }),
    terminationGracePeriodSeconds: graceOf(spec, before),
    tolerations,
    containers: images(spec.containers, before.containers) ?? [],
    initContainers: images(spec.initContainers, before.initContainers),
  };
}

function hasSchedulingGates({ schedulingGates = [] }: PodSpec): boolean {
  return schedulingGates.length > 0;
}

/** Returns the affinity with the node affinity of the old one. */
function withNodeAffinity(
  affinity: Affinity | undefined,
  before: Affinity | undefined,
): Affinity | undefined {
  const { nodeAffinity: _, ...others } = affinity ?? {};
  const nodeAffinity = before?.nodeAffinity;
  if (!nodeAffinity && !before && Object.keys(others).length === 0) return undefined;
  return affinity || nodeAffinity ? { ...others, ...(nodeAffinity && { nodeAffinity }) } : affinity;
}

function graceOf({ terminationGracePeriodSeconds: grace }: PodSpec, before: PodSpec): number | undefined {
  const old = before.terminationGracePeriodSeconds ?? 0;
  return old < 0 && grace === 1 ? old : grace;
}

/** Serializes a toleration without tolerationSeconds, for comparison. */
function withoutSeconds({ tolerationSeconds: _, ...toleration }: Toleration): string {
  return goJson(toleration);
}

/** Returns the stored Pod with the ephemeral containers of the request. */
export function withEphemeralContainers(pod: Pod, before: Pod): Pod {
  const { ephemeralContainers } = pod.spec;
  return { ...before, metadata: pod.metadata, spec: { ...before.spec, ephemeralContainers } };
}

/** Returns the errors for changes of ephemeral containers. They can only be added. */
export function ephemeralErrors({ spec }: Pod, { spec: before }: Pod): FieldError[] {
  const field = "spec.ephemeralContainers";
  const errors = podSpecErrors(spec, "spec");
  if (errors.length > 0) return errors;
  const byName = firstByKey(spec.ephemeralContainers ?? [], ({ name }) => name);
  return (before.ephemeralContainers ?? []).flatMap((old) => {
    const current = byName.get(old.name);
    if (!current)
      return [forbidden(field, `existing ephemeral containers "${old.name}" may not be removed\n`)];
    if (equal(current, old)) return [];
    return [
      forbidden(
        field,
        `existing ephemeral containers "${old.name}" may not be changed\n${internalDiff("EphemeralContainer", old, current)}`,
      ),
    ];
  });
}

/** Returns the stored Pod with the container resources of the request. */
export function withResources(pod: Pod, before: Pod): Pod {
  const resize = (
    list: Container[] | undefined,
    requested: readonly Container[] = [],
  ): Container[] | undefined => {
    const byName = firstByKey(requested, ({ name }) => name);
    return list?.map((container) => {
      const { resources, resizePolicy } = byName.get(container.name) ?? container;
      return { ...container, resources, ...(resizePolicy && { resizePolicy }) };
    });
  };
  const containers = resize(before.spec.containers, pod.spec.containers) ?? [];
  const initContainers = resize(before.spec.initContainers, pod.spec.initContainers);
  const spec = { ...before.spec, containers, ...(initContainers && { initContainers }) };
  return { ...before, metadata: pod.metadata, spec };
}

/** Returns an error if a resize changes the QoS class of a Pod. */
export function resizeErrors({ spec }: Pod, { spec: before }: Pod): FieldError[] {
  const errors = podSpecErrors(spec, "spec");
  if (errors.length > 0) return errors;
  const qosClass = qosClassOf(before);
  if (qosClassOf(spec) === qosClass) return [];
  return [invalid("spec", qosClass, "Pod QOS Class may not change as a result of resizing")];
}
