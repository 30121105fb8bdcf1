import type { StatefulSet, StatefulSetSpec } from "../../api/types/apps/v1.ts";
import type { PodTemplateSpec } from "../../api/types/core/v1.ts";
import { equal, type FieldError, forbidden, GoStruct, invalid, notSupported } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import { templateWarnings } from "./pod-warnings.ts";
import { ownSelectorErrors, templateErrors, templateLabels } from "./template-errors.ts";
import { countErrors } from "./value-errors.ts";
import { claimErrors } from "./volumes.ts";

export const statefulSets: readonly KindEntry[] = [
  entry<StatefulSet>("apps/StatefulSet", {
    generation: "spec",
    tellsEmpty: templateLabels,
    default: ({ spec }) => defaultSet(spec),
    prepareCreate(set) {
      set.status = { replicas: 0, availableReplicas: 0 };
    },
    validate: ({ spec }) => [
      ...policyErrors(spec),
      ...countErrors(spec.replicas, "spec.replicas"),
      ...countErrors(spec.minReadySeconds, "spec.minReadySeconds"),
      ...countErrors(spec.revisionHistoryLimit, "spec.revisionHistoryLimit"),
      ...claimTemplateErrors(spec),
      ...countErrors(spec.ordinals?.start, "spec.ordinals.start"),
      ...ownSelectorErrors(spec, "statefulset"),
      ...templateErrors({ selector: spec.selector, template: withClaims(spec) }, "StatefulSet"),
    ],
    validateUpdate: change,
    warnings: templateWarnings,
    validateStatus: ({ status }) => statusErrors(status ?? { replicas: 0 }),
  }),
];

function defaultSet(spec: StatefulSetSpec): void {
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  spec.podManagementPolicy ??= "OrderedReady";
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ??= "Retain";
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ??= "Retain";
  spec.updateStrategy ??= {};
  spec.updateStrategy.type ??= "RollingUpdate";
  if (spec.updateStrategy.type === "RollingUpdate") {
    spec.updateStrategy.rollingUpdate ??= {};
    spec.updateStrategy.rollingUpdate.partition ??= 0;
  }
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion ||= "v1";
    claim.kind ||= "PersistentVolumeClaim";
    claim.spec.volumeMode ??= "Filesystem";
    claim.status = { phase: "Pending" };
  }
  if (spec.template?.spec) defaultPodSpec(spec.template.spec);
}

function policyErrors(spec: StatefulSetSpec): FieldError[] {
  const { podManagementPolicy: policy, persistentVolumeClaimRetentionPolicy: retention = {} } = spec;
  return [
    ...(policy === "OrderedReady" || policy === "Parallel"
      ? []
      : [invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...strategyErrors(spec.updateStrategy ?? {}),
    ...(["whenDeleted", "whenScaled"] as const)
      .filter((when) => !retentions.includes(retention[when] ?? ""))
      .map((when) =>
        notSupported(`spec.persistentVolumeClaimRetentionPolicy.${when}`, retention[when], retentions),
      ),
  ];
}

const retentions = ["Retain", "Delete"];

function strategyErrors({
  type,
  rollingUpdate,
}: NonNullable<StatefulSetSpec["updateStrategy"]>): FieldError[] {
  const field = "spec.updateStrategy";
  const rolling = rollingUpdate && {
    Partition: rollingUpdate.partition ?? null,
    MaxUnavailable: rollingUpdate.maxUnavailable ?? null,
  };
  if (type === "OnDelete") {
    const detail = "only allowed for updateStrategy 'RollingUpdate'";
    return rolling ? [invalid(`${field}.rollingUpdate`, new GoStruct(rolling), detail)] : [];
  }
  if (type === "RollingUpdate") {
    return countErrors(rollingUpdate?.partition, `${field}.rollingUpdate.partition`);
  }
  const value = new GoStruct({ Type: type, RollingUpdate: rolling ?? null });
  return [invalid(field, value, "must be 'RollingUpdate' or 'OnDelete'")];
}

function claimTemplateErrors({ volumeClaimTemplates = [] }: StatefulSetSpec): FieldError[] {
  return volumeClaimTemplates.flatMap(({ spec }, at) =>
    claimErrors(spec, `spec.volumeClaimTemplates[${at}].spec`),
  );
}

/** Containers mount the claims by name, though the template does not list them. */
function withClaims({ template, volumeClaimTemplates = [] }: StatefulSetSpec): PodTemplateSpec | undefined {
  if (!template?.spec || volumeClaimTemplates.length === 0) return template;
  const names = new Set(volumeClaimTemplates.map(({ metadata }) => metadata?.name ?? ""));
  const others = (template.spec.volumes ?? []).filter(({ name }) => !names.has(name));
  const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return { ...template, spec: { ...template.spec, volumes: [...others, ...claims] } };
}

function change({ spec }: StatefulSet, { spec: before }: StatefulSet): FieldError[] {
  if (equal(fixedParts(spec), fixedParts(before))) return [];
  const detail =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', " +
    "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
  return [forbidden("spec", detail)];
}

function fixedParts({
  selector,
  serviceName,
  podManagementPolicy,
  volumeClaimTemplates,
}: StatefulSetSpec): unknown {
  return { selector, serviceName, podManagementPolicy, volumeClaimTemplates };
}

const counts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"] as const;

function statusErrors(status: NonNullable<StatefulSet["status"]>): FieldError[] {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  return [
    ...countErrors(replicas, "status.replicas"),
    ...counts.flatMap((count) => countErrors(status[count], `status.${count}`)),
    ...countErrors(status.observedGeneration, "status.observedGeneration"),
    ...countErrors(status.collisionCount, "status.collisionCount"),
    ...counts
      .filter((count) => (status[count] ?? 0) > replicas)
      .map((count) => invalid(`status.${count}`, status[count], "cannot be greater than status.replicas")),
    ...(availableReplicas > readyReplicas
      ? [
          invalid(
            "status.availableReplicas",
            availableReplicas,
            "cannot be greater than status.readyReplicas",
          ),
        ]
      : []),
  ];
}
