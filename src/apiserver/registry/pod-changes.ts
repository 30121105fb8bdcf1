import type { Affinity, Container, Pod, PodSpec, Toleration } from "../../api/types/core/v1.ts";
import { equal, type FieldError, forbidden, goJson, invalid, required } from "../../schema/index.ts";
import { firstByKey } from "../repeats.ts";
import { gatedPodErrors } from "./gated-pod-errors.ts";
import { internalDiff } from "./internal-form.ts";
import { podSpecErrors } from "./pod-errors.ts";
import { qosClassOf } from "./qos-class.ts";
import { tolerationErrors } from "./toleration-errors.ts";

const mayChange =
  "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`," +
  "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)," +
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

/** What is wrong with a change of a Pod, most of which stays as it was made. */
export function podChange({ spec }: Pod, { spec: before }: Pod): FieldError[] {
  if (equal(spec, before)) return [];
  const lists = ["containers", "initContainers"] as const;
  const other = lists.find((list) => (spec[list] ?? []).length !== (before[list] ?? []).length);
  if (other) return [forbidden(`spec.${other}`, "pod updates may not add or remove containers")];
  const images = lists.flatMap((list) => imageErrors(spec[list] ?? [], `spec.${list}`));
  const deadline = deadlineErrors(spec.activeDeadlineSeconds, before.activeDeadlineSeconds);
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return [...images, ...deadline];
  const diff = internalDiff("PodSpec", before, withAllowed(spec, before));
  return [
    ...images,
    ...deadline,
    ...addedTolerationErrors(spec, before),
    ...gateErrors(spec, before),
    ...(waits(before) ? gatedPodErrors(spec, before) : []),
    ...(diff === "" ? [] : [forbidden("spec", `${mayChange}\n${diff}`)]),
  ];
}

function imageErrors(containers: readonly Container[], field: string): FieldError[] {
  return containers.flatMap(({ image = "" }, at) => {
    const path = `${field}[${at}].image`;
    if (image === "") return [required(path)];
    return image.trim() === image
      ? []
      : [invalid(path, image, "must not have leading or trailing whitespace")];
  });
}

const mostSeconds = 2 ** 31 - 1;

function deadlineErrors(now: number | undefined, before: number | undefined): FieldError[] {
  const field = "spec.activeDeadlineSeconds";
  if (now === undefined) {
    const detail = "must not update from a positive integer to nil value";
    return before === undefined ? [] : [invalid(field, null, detail)];
  }
  if (now < 0 || now > mostSeconds)
    return [invalid(field, now, `must be between 0 and ${mostSeconds}, inclusive`)];
  const later = before !== undefined && now > before;
  return later ? [invalid(field, now, "must be less than or equal to previous value")] : [];
}

/** Others may be added. How long each is tolerated may change. */
function addedTolerationErrors(
  { tolerations = [] }: PodSpec,
  { tolerations: before = [] }: PodSpec,
): FieldError[] {
  const now = new Set(tolerations.map(withoutSeconds));
  const kept = before.every((old) => now.has(withoutSeconds(old)));
  if (kept) return tolerationErrors(tolerations, "spec.tolerations");
  return [
    forbidden("spec.tolerations", "existing toleration can not be modified except its tolerationSeconds"),
  ];
}

function gateErrors(
  { schedulingGates = [] }: PodSpec,
  { schedulingGates: before = [] }: PodSpec,
): FieldError[] {
  const known = new Set(before.map(({ name }) => name));
  return schedulingGates.flatMap(({ name }, at) =>
    known.has(name)
      ? []
      : [
          forbidden(
            `spec.schedulingGates[${at}].name`,
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  );
}

/** The new Pod with all that may change as it was. As long as it waits at a gate, where it runs can be narrowed. */
function withAllowed(spec: PodSpec, before: PodSpec): PodSpec {
  const { activeDeadlineSeconds, schedulingGates, tolerations, nodeSelector } = before;
  const images = (list: Container[] | undefined, old: readonly Container[] = []): Container[] | undefined =>
    list?.map((container, at) => ({ ...container, image: old[at]?.image }));
  return {
    ...spec,
    activeDeadlineSeconds,
    schedulingGates,
    ...(waits(before) && { nodeSelector, affinity: withNodes(spec.affinity, before.affinity) }),
    terminationGracePeriodSeconds: graceOf(spec, before),
    tolerations,
    containers: images(spec.containers, before.containers) ?? [],
    initContainers: images(spec.initContainers, before.initContainers),
  };
}

function waits({ schedulingGates = [] }: PodSpec): boolean {
  return schedulingGates.length > 0;
}

/** With the nodes of the one before. */
function withNodes(affinity: Affinity | undefined, before: Affinity | undefined): Affinity | undefined {
  const { nodeAffinity: _, ...others } = affinity ?? {};
  const nodeAffinity = before?.nodeAffinity;
  if (!nodeAffinity && !before && Object.keys(others).length === 0) return undefined;
  return affinity || nodeAffinity ? { ...others, ...(nodeAffinity && { nodeAffinity }) } : affinity;
}

function graceOf({ terminationGracePeriodSeconds: grace }: PodSpec, before: PodSpec): number | undefined {
  const old = before.terminationGracePeriodSeconds ?? 0;
  return old < 0 && grace === 1 ? old : grace;
}

/** A toleration as a text: equal for tolerations that differ only in how long they count. */
function withoutSeconds({ tolerationSeconds: _, ...toleration }: Toleration): string {
  return goJson(toleration);
}

/** The Pod with the ephemeral containers that were sent, and nothing else of that. */
export function takeEphemeral(pod: Pod, before: Pod): Pod {
  const { ephemeralContainers } = pod.spec;
  return { ...before, metadata: pod.metadata, spec: { ...before.spec, ephemeralContainers } };
}

/** Ephemeral containers are added, and stay. */
export function ephemeralErrors({ spec }: Pod, { spec: before }: Pod): FieldError[] {
  const field = "spec.ephemeralContainers";
  const errors = podSpecErrors(spec, "spec");
  if (errors.length > 0) return errors;
  const byName = firstByKey(spec.ephemeralContainers ?? [], ({ name }) => name);
  return (before.ephemeralContainers ?? []).flatMap((old) => {
    const now = byName.get(old.name);
    if (!now) return [forbidden(field, `existing ephemeral containers "${old.name}" may not be removed\n`)];
    if (equal(now, old)) return [];
    return [
      forbidden(
        field,
        `existing ephemeral containers "${old.name}" may not be changed\n${internalDiff("EphemeralContainer", old, now)}`,
      ),
    ];
  });
}

/** The Pod with the resources that were sent for its containers, and nothing else of that. */
export function takeResources(pod: Pod, before: Pod): Pod {
  const resized = (
    list: Container[] | undefined,
    sent: readonly Container[] = [],
  ): Container[] | undefined => {
    const byName = firstByKey(sent, ({ name }) => name);
    return list?.map((container) => {
      const { resources, resizePolicy } = byName.get(container.name) ?? container;
      return { ...container, resources, ...(resizePolicy && { resizePolicy }) };
    });
  };
  const containers = resized(before.spec.containers, pod.spec.containers) ?? [];
  const initContainers = resized(before.spec.initContainers, pod.spec.initContainers);
  const spec = { ...before.spec, containers, ...(initContainers && { initContainers }) };
  return { ...before, metadata: pod.metadata, spec };
}

/** A Pod keeps its class of service however it is resized. */
export function resizeErrors({ spec }: Pod, { spec: before }: Pod): FieldError[] {
  const errors = podSpecErrors(spec, "spec");
  if (errors.length > 0) return errors;
  const was = qosClassOf(before);
  if (qosClassOf(spec) === was) return [];
  return [invalid("spec", was, "Pod QOS Class may not change as a result of resizing")];
}
